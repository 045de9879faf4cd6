/**
 * Braze: the users of a segment through an export, and the addresses that bounced. Based on
 * https://www.braze.com/docs/api/endpoints/export/user_data/post_users_segment/,
 * …/api/endpoints/email/get_list_hard_bounces/, …/api/endpoints/export/segments/get_segment/,
 * …/export/campaigns/get_campaigns/, …/export/canvas/get_canvases/,
 * …/api/endpoints/templates/email_templates/get_list_email_templates/, …/api/api_limits/ and …/api/basics/#endpoints.
 * The answer that starts an export contains the download address, which does not exist until the export is ready, and
 * again some hours later. An account with its own cloud storage gets no address: its exports are written there.
 */
import type { JsonObject } from '../../../../kernel/json.js';
import type { SourceContact, SourceAsset } from '../source-record.js';
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
import { ianaZoneOf } from './rails-time-zones.js';
import { pageOfAddresses } from './suppression-pages.js';

const FIELDS: Readonly<Record<string, MappingTarget>> = {
  external_id: 'external_id',
  email: 'email',
  first_name: 'first_name',
  last_name: 'last_name',
  phone: 'phone',
  time_zone: 'timezone',
  language: 'locale',
};

/** The fields that make up a contact. Leaves out events, purchases, devices and messages. */
const FIELDS_TO_EXPORT = [
  ...Object.keys(FIELDS),
  'email_subscribe',
  'custom_attributes',
  'user_aliases',
  'braze_id',
  'country',
  'home_city',
  'gender',
  'dob',
  'created_at',
];
const HANDLED_FIELDS = new Set(['time_zone', 'language', 'custom_attributes']);

/** Addresses of a page; the maximum that the API allows. */
const ADDRESSES_PER_PAGE = 500;
/** Before Braze existed. */
const FIRST_DAY = '2011-01-01';
/** Used if the platform gives no date. */
const LAST_DAY = '2099-12-31';
const DAY_MS = 86_400_000;

export const braze: ImportSource = {
  fields: FIELDS,
  page: readPage,
  assets: readAssets,
  problemOf,
};

const ENDPOINT = /^https:\/\/rest\.(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){1,3}braze\.(?:com|eu)$/;
const SEGMENT = /^[\w-]{1,64}$/;

function endpointOf({ extra }: Credentials): string {
  return (extra.endpoint ?? '').trim().toLowerCase().replace(/\/$/, '');
}

function problemOf(credentials: Credentials): CredentialProblem | null {
  const problem = problemOfKey(credentials);
  if (problem !== null) return problem;
  const endpoint = endpointOf(credentials);
  if (!ENDPOINT.test(endpoint))
    return {
      field: 'credentials.extra.endpoint',
      message:
        'must be https://rest.….braze.com or https://rest.….braze.eu, such as https://rest.iad-01.braze.com',
    };
  if (SEGMENT.test(credentials.extra.segment_id ?? '')) return null;
  return {
    field: 'credentials.extra.segment_id',
    message: 'can only contain letters, digits, hyphens and underscores',
  };
}

/** Requests one path of the API. @param body makes it a POST. */
type ApiRequest = (path: string, body?: JsonObject) => ReturnType<typeof sendRequest>;

/** @throws SourceFailure invalid_credentials if the endpoint is not one of Braze's: no other host is ever called. */
function apiRequestWith(credentials: Credentials, calls: SourceCalls): ApiRequest {
  assertUsable(problemOf(credentials));
  const base = calls.baseUrl(endpointOf(credentials));
  const headers = { authorization: `Bearer ${credentials.apiKey ?? ''}`, accept: 'application/json' };
  return (path, body) => sendRequest(calls, `${base}/${path}`, headers, body);
}

async function readPage(
  credentials: Credentials,
  cursor: Cursor | null,
  calls: SourceCalls,
): Promise<SourcePage> {
  const request = apiRequestWith(credentials, calls);
  const plan: ExportPlan = {
    format: 'ndjson',
    platform: 'Braze',
    start: () => start(request, credentials.extra.segment_id ?? ''),
    checkState: (handle) => Promise.resolve({ kind: 'ready', url: handle }),
    isReadyByDownload: true,
    lists: [
      (offset, day) => {
        const query = new URLSearchParams({
          start_date: FIRST_DAY,
          end_date: day ?? LAST_DAY,
          limit: String(ADDRESSES_PER_PAGE),
          offset: String(offset),
        });
        const page = { reason: 'bounced', offset, limit: ADDRESSES_PER_PAGE } as const;
        return pageOfAddresses(request(`email/hard_bounces?${query.toString()}`), 'emails', page);
      },
    ],
    read: userIn,
  };
  return readPlatformExport(plan, cursor, calls);
}

async function start(request: ApiRequest, segment: string): Promise<Started> {
  const answer = await request('users/export/segment', {
    segment_id: segment,
    fields_to_export: FIELDS_TO_EXPORT,
    output_format: 'zip',
  });
  const body = bodyOrNull(answer);
  if (body === null) {
    if (saysBusy(answer)) return { kind: 'busy' };
    throw new SourceFailure('source_not_found', `Braze has no such segment to export (${answer.status}).`);
  }
  const url = textIn(body.url);
  if (url !== null) {
    const day = dayAfter(answer.headers.date);
    return { kind: 'started', handle: url, ...(day === null ? {} : { day }) };
  }
  if (textIn(body.object_prefix) === null) throw unexpectedResponse('contains no export');
  throw new SourceFailure(
    'export_without_url',
    "Braze writes the exports of this account to the account's own cloud storage: download the file there " +
      'and upload it.',
  );
}

/** Only one export of a segment can run at a time. */
function saysBusy({ value }: PlatformAnswer): boolean {
  return /already|in progress|concurren|at most one/i.test(JSON.stringify(value ?? ''));
}

function dayAfter(date: string | undefined): string | null {
  const moment = Date.parse(date ?? '');
  return Number.isNaN(moment) ? null : new Date(moment + DAY_MS).toISOString().slice(0, 10);
}

function userIn(user: JsonObject, row: number): SourceContact {
  const pairs: FieldPair[] = [
    ...ownFields(user, HANDLED_FIELDS),
    ['time_zone', ianaZoneOf(textIn(user.time_zone))],
    ['language', localeIn(user.language)],
    ...addedFields(
      user.custom_attributes,
      'custom_attributes',
      (name) => FIELDS_TO_EXPORT.includes(name) || Object.hasOwn(user, name),
    ),
  ];
  return {
    kind: 'contact',
    row,
    externalId: textIn(user.external_id),
    fields: fieldsFrom(pairs),
    optOut: user.email_subscribe === 'unsubscribed' ? 'unsubscribed' : null,
  };
}

/** Maximum number of assets of each kind. */
const MAX_ASSETS_PER_KIND = 250;
/** Pages of 100 that contain them. */
const MAX_PAGES = 3;

const ASSET_LISTS: readonly {
  readonly kind: SourceAsset['kind'];
  readonly path: string;
  readonly list: string;
  readonly name: string;
}[] = [
  { kind: 'segment', path: 'segments/list?page=$', list: 'segments', name: 'name' },
  { kind: 'automation', path: 'canvas/list?page=$', list: 'canvases', name: 'name' },
  { kind: 'campaign', path: 'campaigns/list?page=$', list: 'campaigns', name: 'name' },
  {
    kind: 'template',
    path: `templates/email/list?limit=${MAX_ASSETS_PER_KIND}`,
    list: 'templates',
    name: 'template_name',
  },
];

async function readAssets(credentials: Credentials, calls: SourceCalls): Promise<SourceAsset[]> {
  const request = apiRequestWith(credentials, calls);
  const assets: SourceAsset[] = [];
  for (const { kind, path, list, name } of ASSET_LISTS) {
    const items: unknown[] = [];
    for (let page = 0; page < (path.endsWith('$') ? MAX_PAGES : 1); page++) {
      const some = await itemsOrEmpty(request(path.replace('$', String(page))), list);
      items.push(...some);
      if (some.length < 100) break;
    }
    assets.push(...assetsFrom(kind, items.slice(0, MAX_ASSETS_PER_KIND), (item) => ({ name: item[name] })));
  }
  return assets;
}
