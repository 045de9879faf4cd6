/**
 * OneSignal: subscriptions through an export. Based on https://documentation.onesignal.com/reference/csv-export,
 * …/reference/view-segments, …/reference/view-templates, …/docs/subscriptions, …/docs/keys-and-ids and
 * …/reference/rate-limits.
 * A row is a subscription: an address, a phone or a device of a person. All rows with one external id are one
 * contact, wherever they are. Each is merged into the others, so no row may undo what another one contains. An
 * address, and whether it may receive mail, are only taken from rows of addresses. A device's opt-out does not apply
 * to email.
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
import { objectOf } from './export-records.js';
import {
  addedFields,
  fieldsFrom,
  type FieldPair,
  localeIn,
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
  type PlatformAnswer,
  problemOfKey,
} from './platform-answer.js';
import { type ExportPlan, readPlatformExport, type Started } from './platform-export.js';

const BASE_URL = 'https://api.onesignal.com';

const FIELDS: Readonly<Record<string, MappingTarget>> = {
  external_user_id: 'external_id',
  email: 'email',
  phone: 'phone',
  first_name: 'first_name',
  last_name: 'last_name',
  language: 'locale',
  timezone_id: 'timezone',
};

const EXTRA_FIELDS = ['external_user_id', 'country', 'timezone_id', 'notification_types'];

/** Types of subscriptions, by `device_type`. */
const EMAIL = '11';
const SMS = '14';

/** Fields of the subscription and not of the person; `timezone` is an offset that `timezone_id` has replaced. */
const HANDLED_FIELDS = new Set([
  'id',
  'identifier',
  'device_type',
  'tags',
  'language',
  'timezone',
  'invalid_identifier',
  'notification_types',
  'badge_count',
  'ad_id',
  'web_auth',
  'web_p256',
]);
const RESERVED_NAMES = new Set([...Object.keys(FIELDS), ...HANDLED_FIELDS]);

export const onesignal: ImportSource = {
  fields: FIELDS,
  page: readPage,
  assets: readAssets,
  problemOf,
};

const APP_ID = /^[\w-]{1,64}$/;

function problemOf(credentials: Credentials): CredentialProblem | null {
  if (!APP_ID.test(credentials.appId ?? ''))
    return {
      field: 'credentials.appId',
      message: 'can only contain letters, digits, hyphens and underscores',
    };
  return problemOfKey(credentials);
}

/** Requests one path of the API. @param body makes it a POST. */
type ApiRequest = (path: string, body?: JsonObject) => ReturnType<typeof sendRequest>;

function apiRequestWith(credentials: Credentials, calls: SourceCalls): ApiRequest {
  assertUsable(problemOf(credentials));
  const base = calls.baseUrl(BASE_URL);
  const headers = { authorization: `Key ${credentials.apiKey ?? ''}`, accept: 'application/json' };
  return (path, body) =>
    sendRequest(calls, `${base}/${path.replaceAll('$', credentials.appId ?? '')}`, headers, body);
}

async function readPage(
  credentials: Credentials,
  cursor: Cursor | null,
  calls: SourceCalls,
): Promise<SourcePage> {
  const request = apiRequestWith(credentials, calls);
  const plan: ExportPlan = {
    format: 'csv',
    isHeader: (columns) => columns.includes('identifier') && columns.includes('device_type'),
    platform: 'OneSignal',
    start: () => start(request),
    checkState: (handle) => Promise.resolve({ kind: 'ready', url: handle }),
    isReadyByDownload: true,
    lists: [],
    read: subscriptionIn,
  };
  return readPlatformExport(plan, cursor, calls);
}

async function start(request: ApiRequest): Promise<Started> {
  const answer = await request('players/csv_export?app_id=$', { extra_fields: EXTRA_FIELDS });
  const body = bodyOrNull(answer);
  if (body === null) {
    if (saysBusy(answer)) return { kind: 'busy' };
    throw new SourceFailure('source_not_found', `OneSignal has no such app to export (${answer.status}).`);
  }
  const url = textIn(body.csv_file_url);
  if (url !== null) return { kind: 'started', handle: url };
  if (saysBusy(answer)) return { kind: 'busy' };
  throw unexpectedResponse('contains no export');
}

/** Only one export of an account can run at a time. */
function saysBusy({ value }: PlatformAnswer): boolean {
  return /already|another|concurren/i.test(JSON.stringify(value ?? ''));
}

/** A device without a known person is no contact. */
function subscriptionIn(record: JsonObject, row: number): SourceContact | null {
  const type = textIn(record.device_type);
  const externalId = textIn(record.external_user_id);
  const identifier = textIn(record.identifier);
  if (externalId === null && type !== EMAIL && type !== SMS) return null;
  const pairs: FieldPair[] = [
    ['email', type === EMAIL ? identifier : null],
    ['phone', type === SMS ? identifier : null],
    ['language', localeIn(record.language)],
    ...ownFields(record, HANDLED_FIELDS),
    ...addedFields(objectOf(textIn(record.tags) ?? ''), 'tags', (name) => isTaken(record, name)),
  ];
  return {
    kind: 'contact',
    row,
    externalId,
    fields: fieldsFrom(pairs),
    optOut: type === EMAIL ? optOutIn(record) : null,
  };
}

/** First and last names are tags, if there are any. */
function isTaken(record: JsonObject, name: string): boolean {
  return (
    Object.hasOwn(record, name) || (RESERVED_NAMES.has(name) && name !== 'first_name' && name !== 'last_name')
  );
}

/** Types below 0 are kinds of unsubscribed states. */
function optOutIn({
  invalid_identifier: invalid,
  notification_types: types,
}: JsonObject): OptOutReason | null {
  const isInvalid = /^(t|true|1)$/i.test(textIn(invalid) ?? '');
  return isInvalid || Number(textIn(types) ?? '0') < 0 ? 'unsubscribed' : null;
}

/** Maximum number of assets of each kind. */
const MAX_ASSETS_PER_KIND = 300;

async function readAssets(credentials: Credentials, calls: SourceCalls): Promise<SourceAsset[]> {
  const request = apiRequestWith(credentials, calls);
  const segments = await itemsOrEmpty(
    request(`apps/$/segments?limit=${MAX_ASSETS_PER_KIND}&offset=0`),
    'segments',
  );
  const templates = await pagesOf(request, 'templates?app_id=$', 'templates');
  const campaigns = await pagesOf(request, 'notifications?app_id=$&kind=0', 'notifications');
  return [
    ...assetsFrom('segment', segments.slice(0, MAX_ASSETS_PER_KIND), ({ name }) => ({ name })),
    ...assetsFrom('template', templates, ({ name, channel }) => ({ name, detail: channel })),
    ...assetsFrom('campaign', campaigns, ({ name }) => ({ name })),
  ];
}

/** Items of a page; the maximum that the API allows. */
const ITEMS_PER_PAGE = 50;

async function pagesOf(request: ApiRequest, path: string, list: string): Promise<readonly unknown[]> {
  const all: unknown[] = [];
  while (all.length < MAX_ASSETS_PER_KIND) {
    const some = await itemsOrEmpty(request(`${path}&limit=${ITEMS_PER_PAGE}&offset=${all.length}`), list);
    all.push(...some);
    if (some.length < ITEMS_PER_PAGE) break;
  }
  return all.slice(0, MAX_ASSETS_PER_KIND);
}
