/**
 * Customer.io: people through an export, and the addresses that its email service does not deliver to. Based on
 * https://docs.customer.io/integrations/api/app/tag/exports/exportPeopleData/, …/tag/exports/getExport/,
 * …/tag/exports/downloadExport/, …/tag/esp-suppression/getSuppressionByType/, …/tag/customers/getPeopleFilter/,
 * …/tag/customers/getPeopleById/ and the description at https://docs.customer.io/files/journeys-app.json.
 * An export contains the attributes that are requested by name, and the API does not list names. They are learned
 * from a few hundred people, and callers may name more. An export also requires a filter: "has an email, or has none"
 * matches all people.
 */
import type { JsonObject } from '../../../../kernel/json.js';
import type { SourceContact, SourceAsset, OptOutReason } from '../source-record.js';
import {
  type CredentialProblem,
  type Cursor,
  type ImportSource,
  type SourceCalls,
  SourceFailure,
  type SourcePage,
} from '../import-source.js';
import type { MappingTarget } from '../import-job.js';
import type { Credentials } from '../platform.js';
import {
  countIn,
  fieldsFrom,
  type FieldPair,
  listIn,
  localeIn,
  objectIn,
  ownFields,
  textIn,
  assetsFrom,
} from './source-fields.js';
import {
  sendRequest,
  assertUsable,
  bodyOrNull,
  itemsOrEmpty,
  unexpectedResponse,
  emptyIfDenied,
  problemOfKey,
} from './platform-answer.js';
import { type ExportPlan, readPlatformExport, type ExportState, type Started } from './platform-export.js';
import { pageOfAddresses } from './suppression-pages.js';

const BASE_URLS: ReadonlyMap<string, string> = new Map([
  ['us', 'https://api.customer.io'],
  ['eu', 'https://api-eu.customer.io'],
]);

const FIELDS: Readonly<Record<string, MappingTarget>> = {
  id: 'external_id',
  email: 'email',
  first_name: 'first_name',
  last_name: 'last_name',
  phone: 'phone',
  timezone: 'timezone',
  locale: 'locale',
};

/** Always requested. */
const ATTRIBUTES = [
  ...Object.keys(FIELDS),
  'cio_id',
  'created_at',
  'unsubscribed',
  'language',
  'cio_timezone',
  'cio_subscription_preferences',
];
const HANDLED_FIELDS = new Set(['timezone', 'locale']);

const ALL_PEOPLE: JsonObject = {
  or: [
    { attribute: { field: 'email', operator: 'exists' } },
    { not: { attribute: { field: 'email', operator: 'exists' } } },
  ],
};

/** Maximum number of attributes that one export requests. */
const MAX_ATTRIBUTES = 1_000;
/** Maximum length of an attribute's name, in characters. */
const MAX_ATTRIBUTE_LENGTH = 255;
/** Number of people that are listed; attributes are learned from three samples among them. */
const SEARCHED_PEOPLE = 1_000;
const SAMPLE_PEOPLE = 100;

/** Addresses of a page; the maximum that the API allows. */
const ADDRESSES_PER_PAGE = 1_000;
/** Leaves out `blocks`, which are temporary and no suppression. */
const LISTS: readonly (readonly [list: string, reason: OptOutReason])[] = [
  ['spam_reports', 'complained'],
  ['bounces', 'bounced'],
  ['invalid_emails', 'bounced'],
];

export const customerio: ImportSource = {
  fields: FIELDS,
  page: readPage,
  assets: readAssets,
  problemOf,
};

const SEGMENT = /^[0-9]{1,18}$/;

function regionOf({ extra }: Credentials): string {
  const region = (extra.region ?? '').toLowerCase();
  return region === '' ? 'us' : region;
}

function problemOf(credentials: Credentials): CredentialProblem | null {
  const problem = problemOfKey(credentials);
  if (problem !== null) return problem;
  if (!BASE_URLS.has(regionOf(credentials)))
    return { field: 'credentials.extra.region', message: 'must be us or eu' };
  const segment = credentials.extra.segment_id ?? '';
  if (segment !== '' && !SEGMENT.test(segment))
    return { field: 'credentials.extra.segment_id', message: 'must be a number' };
  return null;
}

/** Requests one path of the API. @param body makes it a POST. */
type ApiRequest = (path: string, body?: JsonObject) => ReturnType<typeof sendRequest>;

function apiRequestWith(credentials: Credentials, calls: SourceCalls): ApiRequest {
  const baseUrl = BASE_URLS.get(regionOf(credentials));
  assertUsable(problemOf(credentials));
  if (baseUrl === undefined) throw new SourceFailure('invalid_credentials', 'No such region exists.');
  const base = calls.baseUrl(baseUrl);
  const headers = { authorization: `Bearer ${credentials.apiKey ?? ''}`, accept: 'application/json' };
  return (path, body) => sendRequest(calls, `${base}/v1/${path}`, headers, body);
}

async function readPage(
  credentials: Credentials,
  cursor: Cursor | null,
  calls: SourceCalls,
): Promise<SourcePage> {
  const request = apiRequestWith(credentials, calls);
  const plan: ExportPlan = {
    format: 'csv',
    isHeader: (columns) => columns.includes('id') || columns.includes('email'),
    platform: 'Customer.io',
    start: () => start(request, credentials),
    checkState: (handle) => exportStateOf(request, handle),
    isReadyByDownload: false,
    lists: LISTS.map(
      ([list, reason]) =>
        (offset) =>
          pageOfAddresses(
            request(`esp/suppression/${list}?limit=${ADDRESSES_PER_PAGE}&offset=${offset}`),
            'suppressions',
            { reason, offset, limit: ADDRESSES_PER_PAGE },
          ),
    ),
    read: personIn,
  };
  return readPlatformExport(plan, cursor, calls);
}

async function start(request: ApiRequest, credentials: Credentials): Promise<Started> {
  const segment = credentials.extra.segment_id ?? '';
  const filters = segment === '' ? ALL_PEOPLE : { and: [{ segment: { id: Number(segment) } }] };
  const attributes = await attributesFor(request, credentials, filters);
  const body = bodyOrNull(await request('exports/customers', { filters, attributes }));
  if (body === null)
    throw new SourceFailure('source_not_found', 'Customer.io exports nothing for this segment.');
  const id = countIn(objectIn(body.export).id);
  if (id === null) throw unexpectedResponse('contains no export');
  return { kind: 'started', handle: String(id) };
}

/** Our fixed attributes, those that the caller names, and those found in a sample of people. */
async function attributesFor(
  request: ApiRequest,
  { extra }: Credentials,
  filter: JsonObject,
): Promise<readonly string[]> {
  const named = (extra.attributes ?? '').split(',').map((name) => name.trim());
  const learned = await emptyIfDenied(learnedAttributes(request, filter));
  const all = [...ATTRIBUTES, ...named, ...learned];
  return [...new Set(all)]
    .filter((name) => name !== '' && name.length <= MAX_ATTRIBUTE_LENGTH)
    .slice(0, MAX_ATTRIBUTES);
}

async function learnedAttributes(request: ApiRequest, filter: JsonObject): Promise<readonly string[]> {
  const people = bodyOrNull(await request(`customers?limit=${SEARCHED_PEOPLE}`, { filter }));
  const ids = listIn(people?.identifiers).flatMap((one) => textIn(objectIn(one).cio_id) ?? []);
  const starts = [0, Math.floor(ids.length / 2) - SAMPLE_PEOPLE / 2, ids.length - SAMPLE_PEOPLE];
  const names = new Set<string>();
  for (const from of new Set(starts.map((at) => Math.max(0, at)))) {
    const some = ids.slice(from, from + SAMPLE_PEOPLE);
    if (some.length === 0) continue;
    const answer = bodyOrNull(await request('customers/attributes?id_type=cio_id', { ids: some }));
    for (const one of listIn(answer?.customers)) {
      const customer = objectIn(objectIn(one).customer ?? one);
      for (const name of Object.keys(objectIn(customer.attributes))) names.add(name);
    }
  }
  return [...names];
}

/** A link is valid for 15 minutes, so a new one is requested before each download. */
async function exportStateOf(request: ApiRequest, handle: string): Promise<ExportState> {
  const path = `exports/${encodeURIComponent(handle)}`;
  const body = bodyOrNull(await request(path));
  if (body === null) return { kind: 'lost' };
  const { status, failed, total } = objectIn(body.export);
  if (failed === true || status === 'failed') return { kind: 'lost' };
  if (status !== 'done') return { kind: 'waiting' };
  const link = bodyOrNull(await request(`${path}/download`));
  if (link === null) return { kind: 'lost' };
  const url = textIn(link.url);
  if (url === null) throw unexpectedResponse('contains no download link');
  const count = countIn(total);
  return { kind: 'ready', url, ...(count === null ? {} : { total: count }) };
}

function personIn(record: JsonObject, row: number): SourceContact {
  const pairs: FieldPair[] = [
    ...ownFields(record, HANDLED_FIELDS),
    ['timezone', textIn(record.timezone) ?? textIn(record.cio_timezone)],
    ['locale', localeIn(record.locale) ?? localeIn(record.language)],
  ];
  return {
    kind: 'contact',
    row,
    externalId: textIn(record.id),
    fields: fieldsFrom(pairs),
    optOut: isTrue(record.unsubscribed) ? 'unsubscribed' : null,
  };
}

/** Interprets this attribute as Customer.io does. */
function isTrue(value: unknown): boolean {
  return /^(true|1|t|yes|y)$/i.test((textIn(value) ?? '').trim());
}

/** Maximum number of assets of each kind. */
const MAX_ASSETS_PER_KIND = 200;

const ASSET_LISTS: readonly {
  readonly kind: SourceAsset['kind'];
  readonly path: string;
  readonly list: string;
  readonly detail: string;
}[] = [
  { kind: 'segment', path: 'segments', list: 'segments', detail: 'type' },
  { kind: 'automation', path: 'campaigns', list: 'campaigns', detail: 'state' },
  { kind: 'campaign', path: 'newsletters?limit=100', list: 'newsletters', detail: 'type' },
  { kind: 'campaign', path: 'broadcasts', list: 'broadcasts', detail: 'state' },
  { kind: 'template', path: 'transactional', list: 'messages', detail: 'description' },
];

async function readAssets(credentials: Credentials, calls: SourceCalls): Promise<SourceAsset[]> {
  const request = apiRequestWith(credentials, calls);
  const assets: SourceAsset[] = [];
  for (const { kind, path, list, detail } of ASSET_LISTS) {
    const items = await itemsOrEmpty(request(path), list);
    assets.push(
      ...assetsFrom(kind, items.slice(0, MAX_ASSETS_PER_KIND), (item) => ({
        name: item.name,
        detail: item[detail],
      })),
    );
  }
  return assets;
}
