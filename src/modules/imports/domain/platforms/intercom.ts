/**
 * Intercom: contacts (users and leads) in pages of 150 with Intercom's own cursor. Based on
 * https://developers.intercom.com/docs/references/rest-api/api.intercom.io/contacts/listcontacts,
 * …/docs/build-an-integration/learn-more/rest-apis/pagination, …/docs/references/rest-api/errors/rate-limiting and
 * the descriptions at https://github.com/intercom/Intercom-OpenAPI, version 2.16.
 */
import { isJsonObject, type JsonObject } from '../../../../kernel/json.js';
import type { SourceContact, SourceAsset, OptOutReason, UnreadableRecord } from '../source-record.js';
import type { MappingTarget } from '../import-job.js';
import {
  type CredentialProblem,
  type Cursor,
  type ImportSource,
  type SourceCalls,
  SourceFailure,
  type SourcePage,
} from '../import-source.js';
import type { Credentials } from '../platform.js';
import {
  addedFields,
  countIn,
  fieldsFrom,
  type FieldPair,
  mostSevere,
  listIn,
  localeIn,
  objectIn,
  ownFields,
  recordsFrom,
  textIn,
  assetsFrom,
  unreadable,
} from './source-fields.js';
import {
  sendRequest,
  assertUsable,
  checkedCursor,
  emptyPages,
  MAX_LOST_CURSORS,
  emptyIfDenied,
  pageIn,
  readOrShrinkPage,
  type PlatformAnswer,
  problemOfKey,
  reducedPageSize,
} from './platform-answer.js';

const BASE_URLS: Readonly<Record<string, string>> = {
  us: 'https://api.intercom.io',
  eu: 'https://api.eu.intercom.io',
  au: 'https://api.au.intercom.io',
};
const UNKNOWN_REGION: CredentialProblem = {
  field: 'credentials.extra.region',
  message: 'must be us, eu or au',
};
/** Version of the API. */
const VERSION = '2.16';
/** Contacts of a page; the maximum that the API allows. */
const PAGE_SIZE = 150;
/** Maximum number of tags whose names are looked up. */
const MAX_TAGS = 10_000;

const FIELDS: Readonly<Record<string, MappingTarget>> = {
  external_id: 'external_id',
  email: 'email',
  first_name: 'first_name',
  last_name: 'last_name',
  phone: 'phone',
  locale: 'locale',
};

/**
 * Lists of references and pictures are useless outside of Intercom; names, tags and opt-outs are read in another way.
 */
const HANDLED_FIELDS = new Set([
  'type',
  'workspace_id',
  'avatar',
  'social_profiles',
  'notes',
  'companies',
  'opted_in_subscription_types',
  'opted_out_subscription_types',
  'location',
  'tags',
  'custom_attributes',
]);

export const intercom: ImportSource = {
  fields: FIELDS,
  page: readPage,
  assets: readAssets,
  problemOf,
};

function problemOf(credentials: Credentials): CredentialProblem | null {
  const problem = problemOfKey(credentials);
  if (problem !== null) return problem;
  return Object.hasOwn(BASE_URLS, regionOf(credentials)) ? null : UNKNOWN_REGION;
}

function regionOf({ extra }: Credentials): string {
  const named = extra.region ?? '';
  return named === '' ? 'us' : named.toLowerCase();
}

/** Requests one path of the API. */
type ApiRequest = (path: string) => Promise<PlatformAnswer>;

/** @throws SourceFailure invalid_credentials if there is no such region: the key is sent to no other host. */
function apiRequestWith(credentials: Credentials, calls: SourceCalls): ApiRequest {
  assertUsable(problemOf(credentials));
  const region = regionOf(credentials);
  const baseUrl = Object.hasOwn(BASE_URLS, region) ? BASE_URLS[region] : undefined;
  if (baseUrl === undefined) throw new SourceFailure('invalid_credentials', 'No such region exists.');
  const base = calls.baseUrl(baseUrl);
  const headers = {
    authorization: `Bearer ${credentials.apiKey ?? ''}`,
    'intercom-version': VERSION,
    accept: 'application/json',
  };
  return (path) => sendRequest(calls, `${base}/${path}`, headers);
}

interface IntercomCursor {
  readonly row: number;
  /** Intercom's own cursor; null at the beginning. */
  readonly after: string | null;
  readonly emptyPages: number;
  /** The number of cursors that Intercom no longer knew. */
  readonly lostCursors: number;
  readonly pageSize: number;
}

async function readPage(
  credentials: Credentials,
  cursor: Cursor | null,
  calls: SourceCalls,
): Promise<SourcePage> {
  const request = apiRequestWith(credentials, calls);
  const position: IntercomCursor = {
    row: countIn(cursor?.row) ?? 1,
    after: textIn(cursor?.after),
    emptyPages: countIn(cursor?.emptyPages) ?? 0,
    lostCursors: countIn(cursor?.lostCursors) ?? 0,
    pageSize: countIn(cursor?.pageSize) ?? PAGE_SIZE,
  };
  return readOrShrinkPage({ ...position }, () => readContacts(request, position));
}

async function readContacts(request: ApiRequest, from: IntercomCursor): Promise<SourcePage> {
  let position = from;
  let answer = await request(pathOf(position));
  // The cursor is no longer known, so contacts are read again from the beginning, and merged.
  if (answer.status === 400 && position.after !== null && position.lostCursors < MAX_LOST_CURSORS) {
    position = { ...position, after: null, lostCursors: position.lostCursors + 1 };
    answer = await request(pathOf(position));
  }
  const pageSize = reducedPageSize(answer, position.pageSize);
  if (pageSize !== null) return { records: [], next: { ...position, pageSize } };
  const { page, items } = pageIn(answer, 'data');
  const tags = await tagsOf(request, items);
  const records = recordsFrom(items, position.row, (item, row) => contactIn(item, row, tags));
  const after = nextIn(page.pages, position.after);
  const total = countIn(page.total_count);
  const row = position.row + items.length;
  return {
    records,
    next:
      after === null
        ? null
        : {
            row,
            after,
            emptyPages: emptyPages(position.emptyPages, items),
            lostCursors: position.lostCursors,
            pageSize: position.pageSize,
          },
    ...(total === null ? {} : { total: Math.max(total, row - 1) }),
  };
}

function pathOf({ after, pageSize }: IntercomCursor): string {
  const query = new URLSearchParams({ per_page: String(pageSize) });
  if (after !== null) query.set('starting_after', after);
  return `contacts?${query.toString()}`;
}

/**
 * The next page's cursor. Some versions return a link; only the cursor is taken from it.
 * @throws SourceFailure platform_unavailable
 */
function nextIn(pages: unknown, before: string | null): string | null {
  const { next } = objectIn(pages);
  const link = typeof next === 'string' && URL.canParse(next) ? new URL(next) : null;
  const after =
    link === null ? textIn(objectIn(next).starting_after) : link.searchParams.get('starting_after');
  return after === null || after === '' ? null : checkedCursor(after, before);
}

/** Contacts only contain the ids of tags. */
async function tagsOf(request: ApiRequest, items: readonly unknown[]): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  if (!items.some((item) => tagIdsOf(objectIn(item)).length > 0)) return names;
  for (const tag of await emptyIfDenied(tagList(request))) {
    const { id, name } = objectIn(tag);
    const [key, text] = [textIn(id), textIn(name)];
    if (key !== null && text !== null && names.size < MAX_TAGS) names.set(key, text);
  }
  return names;
}

async function tagList(request: ApiRequest): Promise<readonly unknown[]> {
  return pageIn(await request('tags'), 'data').items;
}

function tagIdsOf(contact: JsonObject): string[] {
  return idsIn(contact.tags);
}

function idsIn(list: unknown): string[] {
  return listIn(objectIn(list).data).flatMap((item) => textIn(objectIn(item).id) ?? []);
}

function contactIn(
  item: unknown,
  row: number,
  tags: ReadonlyMap<string, string>,
): SourceContact | UnreadableRecord {
  if (!isJsonObject(item)) return unreadable(row, null, 'The contact is not an object.');
  const [firstName, lastName] = splitName(textIn(item.name));
  const { type: _type, ...location } = objectIn(item.location);
  const pairs: FieldPair[] = [
    ...ownFields(item, HANDLED_FIELDS),
    ['first_name', firstName],
    ['last_name', lastName],
    ['locale', localeIn(item.language_override) ?? localeIn(item.browser_language)],
    ['location', withoutNulls(location)],
    ['tags', tagIdsOf(item).flatMap((id) => tags.get(id) ?? [])],
    ['opted_out_subscription_types', idsIn(item.opted_out_subscription_types)],
    ...addedFields(
      item.custom_attributes,
      'custom_attributes',
      (name) => Object.hasOwn(FIELDS, name) || Object.hasOwn(item, name),
    ),
  ];
  return {
    kind: 'contact',
    row,
    externalId: textIn(item.external_id),
    fields: fieldsFrom(pairs),
    optOut: optOutIn(item),
  };
}

function withoutNulls(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null));
}

/** Splits a name at its first space: "Hoban Wash Washburne" becomes Hoban, Wash Washburne. */
function splitName(name: string | null): readonly [first: string | null, last: string | null] {
  const whole = name?.trim() ?? '';
  const space = whole.search(/\s/);
  if (space === -1) return [whole, null];
  return [whole.slice(0, space), whole.slice(space).trim()];
}

const OPT_OUTS = [
  ['unsubscribed_from_emails', 'unsubscribed'],
  ['has_hard_bounced', 'bounced'],
  ['marked_email_as_spam', 'complained'],
] as const;

function optOutIn(contact: JsonObject): OptOutReason | null {
  return mostSevere(OPT_OUTS.flatMap(([flag, reason]) => (contact[flag] === true ? [reason] : [])));
}

/** Maximum number of assets of each kind. Only segments and tags have names in the API. */
const MAX_ASSETS_PER_KIND = 500;

async function readAssets(credentials: Credentials, calls: SourceCalls): Promise<SourceAsset[]> {
  const request = apiRequestWith(credentials, calls);
  const segments = await emptyIfDenied(
    request('segments').then((answer) => pageIn(answer, 'segments').items),
  );
  const tags = await emptyIfDenied(tagList(request));
  return [
    ...assetsFrom('segment', segments.slice(0, MAX_ASSETS_PER_KIND), (item) => ({
      name: item.name,
      detail: item.person_type,
    })),
    ...assetsFrom('tag', tags.slice(0, MAX_ASSETS_PER_KIND), ({ name }) => ({ name })),
  ];
}
