/**
 * Klaviyo: profiles with their subscriptions, in pages of 100 with Klaviyo's own cursor. Based on
 * https://developers.klaviyo.com/en/reference/get_profiles, …/reference/profiles,
 * …/docs/rate_limits_and_error_handling, …/docs/authenticate_ and the descriptions at
 * https://github.com/klaviyo/openapi, revision 2026-07-15.
 * Profiles are read in the order of their creation, which never changes: profiles that exist during the whole import
 * are read, and new ones come last. Klaviyo's cursors may expire ("a good rule of thumb is three days"). An expired
 * one is replaced by the creation time of the last profile read.
 */
import { isJsonObject } from '../../../../kernel/json.js';
import type { SourceContact, SourceAsset, OptOutReason, UnreadableRecord } from '../source-record.js';
import {
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
  countIn,
  fieldsFrom,
  type FieldPair,
  mostSevere,
  listIn,
  objectIn,
  ownFields,
  recordsFrom,
  textIn,
  assetsFrom,
  unreadable,
} from './source-fields.js';
import {
  sendRequest,
  checkedCursor,
  emptyPages,
  unexpectedResponse,
  MAX_LOST_CURSORS,
  emptyIfDenied,
  pageIn,
  readOrShrinkPage,
  type PlatformAnswer,
  problemOfKey,
  reducedPageSize,
} from './platform-answer.js';

const BASE_URL = 'https://a.klaviyo.com';
/** Revision of the API; each is supported for two years. */
const REVISION = '2026-07-15';
/** Profiles of a page; the maximum that the API allows. */
const PAGE_SIZE = 100;
/** Profiles created at the same time may be on both sides of a page boundary. */
const OVERLAP_MS = 1_000;

const FIELDS: Readonly<Record<string, MappingTarget>> = {
  external_id: 'external_id',
  email: 'email',
  phone_number: 'phone',
  first_name: 'first_name',
  last_name: 'last_name',
  locale: 'locale',
  'location.timezone': 'timezone',
};

/** `properties` contains the account's own fields; `subscriptions` becomes an opt-out and consents. */
const HANDLED_FIELDS = new Set(['location', 'subscriptions', 'properties']);
const RESERVED_NAMES = new Set([
  ...Object.keys(FIELDS),
  ...HANDLED_FIELDS,
  'id',
  'email_consent',
  'sms_consent',
]);

const SUPPRESSIONS: Readonly<Record<string, OptOutReason>> = {
  HARD_BOUNCE: 'bounced',
  INVALID_EMAIL: 'bounced',
  SPAM_COMPLAINT: 'complained',
};

export const klaviyo: ImportSource = {
  fields: FIELDS,
  page: readPage,
  assets: readAssets,
  problemOf: problemOfKey,
};

interface KlaviyoCursor {
  readonly row: number;
  /** Klaviyo's own cursor of the page to read; null for the first page, and for one that is found by `since`. */
  readonly next: string | null;
  /** When the last profile read was created, and the first. */
  readonly since: string | null;
  readonly first: string | null;
  readonly emptyPages: number;
  /** The number of expired cursors. */
  readonly lostCursors: number;
  readonly pageSize: number;
}

async function readPage(
  credentials: Credentials,
  cursor: Cursor | null,
  calls: SourceCalls,
): Promise<SourcePage> {
  const position = readCursor(cursor);
  return readOrShrinkPage({ ...position }, () => readProfiles(credentials, position, calls));
}

async function readProfiles(
  credentials: Credentials,
  from: KlaviyoCursor,
  calls: SourceCalls,
): Promise<SourcePage> {
  let position = from;
  const headers = headersOf(credentials);
  let answer = await sendRequest(calls, urlOf(calls, position), headers);
  if (answer.status === 400 && position.next !== null && position.lostCursors < MAX_LOST_CURSORS) {
    position = { ...position, next: null, lostCursors: position.lostCursors + 1 };
    answer = await sendRequest(calls, urlOf(calls, position), headers);
  }
  if (answer.status === 400 && isKeyError(answer))
    throw new SourceFailure('invalid_credentials', 'Klaviyo rejects the API key.');
  const pageSize = reducedPageSize(answer, position.pageSize);
  if (pageSize !== null) return { records: [], next: { ...position, pageSize } };
  const { page, items } = pageIn(answer, 'data');
  const records = recordsFrom(items, position.row, profileIn);
  const next = nextIn(page.links, position.next);
  const creationTimes = items.flatMap((item) => createdAtOf(item) ?? []);
  const first = position.first ?? creationTimes[0] ?? null;
  const since = creationTimes.at(-1) ?? position.since;
  const share = shareOf(first, since, answer.headers.date);
  return {
    records,
    next:
      next === null
        ? null
        : {
            row: position.row + items.length,
            next,
            since,
            first,
            emptyPages: emptyPages(position.emptyPages, items),
            lostCursors: position.lostCursors,
            pageSize: position.pageSize,
          },
    ...(share === null ? {} : { share }),
  };
}

function readCursor(cursor: Cursor | null): KlaviyoCursor {
  return {
    row: countIn(cursor?.row) ?? 1,
    next: textIn(cursor?.next),
    since: textIn(cursor?.since),
    first: textIn(cursor?.first),
    emptyPages: countIn(cursor?.emptyPages) ?? 0,
    lostCursors: countIn(cursor?.lostCursors) ?? 0,
    pageSize: countIn(cursor?.pageSize) ?? PAGE_SIZE,
  };
}

function headersOf({ apiKey }: Credentials): Record<string, string> {
  return {
    authorization: `Klaviyo-API-Key ${apiKey ?? ''}`,
    revision: REVISION,
    accept: 'application/vnd.api+json',
  };
}

function urlOf(calls: SourceCalls, { next, since, pageSize }: KlaviyoCursor): string {
  const query = new URLSearchParams({
    'additional-fields[profile]': 'subscriptions',
    'page[size]': String(pageSize),
    sort: 'created',
  });
  if (next !== null) query.set('page[cursor]', next);
  if (since !== null && next === null) query.set('filter', `greater-than(created,${earlier(since)})`);
  return `${calls.baseUrl(BASE_URL)}/api/profiles?${query.toString()}`;
}

function earlier(moment: string): string {
  return new Date(Date.parse(moment) - OVERLAP_MS).toISOString();
}

/** A missing or malformed key may be reported as 400. */
function isKeyError({ value }: PlatformAnswer): boolean {
  return listIn(objectIn(value).errors).some((error) =>
    /authenticat|api_key|credential/i.test(textIn(objectIn(error).code) ?? ''),
  );
}

/**
 * The next page's cursor. Nothing else is taken from the link, whatever its host: the key is only sent to the base
 * URL.
 * @throws SourceFailure platform_unavailable
 */
function nextIn(links: unknown, before: string | null): string | null {
  const link = textIn(objectIn(links).next);
  if (link === null) return null;
  if (!URL.canParse(link, BASE_URL)) throw unexpectedResponse('contains a next page that is not a URL');
  const next = new URL(link, BASE_URL).searchParams.get('page[cursor]');
  if (next === null || next === '') throw unexpectedResponse('contains a next page without a cursor');
  return checkedCursor(next, before);
}

function createdAtOf(item: unknown): string | null {
  const created = textIn(objectIn(objectIn(item).attributes).created);
  return created !== null && created.length <= 64 && !Number.isNaN(Date.parse(created)) ? created : null;
}

/** Klaviyo reports no total. The share that was read is estimated from creation times. */
function shareOf(first: string | null, last: string | null, date: string | undefined): number | null {
  if (first === null || last === null || date === undefined) return null;
  const whole = Date.parse(date) - Date.parse(first);
  const read = Date.parse(last) - Date.parse(first);
  return whole > 0 && read >= 0 ? Math.min(read / whole, 1) : null;
}

function profileIn(item: unknown, row: number): SourceContact | UnreadableRecord {
  const profile = objectIn(item);
  const { attributes } = profile;
  if (!isJsonObject(attributes))
    return unreadable(row, textIn(profile.id), 'The profile contains no attributes.');
  const location = objectIn(attributes.location);
  const { timezone, ...locationFields } = location;
  const subscriptions = objectIn(attributes.subscriptions);
  const email = objectIn(objectIn(subscriptions.email).marketing);
  const sms = objectIn(objectIn(subscriptions.sms).marketing);
  const pairs: FieldPair[] = [
    ...ownFields(attributes, HANDLED_FIELDS),
    ['location.timezone', textIn(timezone)],
    ['location', locationFields],
    ['email_consent', textIn(email.consent)],
    ['sms_consent', textIn(sms.consent)],
    ['id', profile.id],
    ...addedFields(
      attributes.properties,
      'properties',
      (name) => RESERVED_NAMES.has(name) || Object.hasOwn(attributes, name),
    ),
  ];
  return {
    kind: 'contact',
    row,
    externalId: textIn(attributes.external_id),
    fields: fieldsFrom(pairs),
    optOut: optOutIn(email),
  };
}

const NO_CONSENT = new Set(['UNSUBSCRIBED', 'NEVER_SUBSCRIBED']);

/**
 * A global suppression counts whatever `consent` contains, and so does Klaviyo's own conclusion from it. A person who
 * never subscribed counts as opted out, as in files.
 */
function optOutIn(email: ReturnType<typeof objectIn>): OptOutReason | null {
  const reasons = listIn(email.suppression).map(
    (suppression) => SUPPRESSIONS[textIn(objectIn(suppression).reason) ?? ''] ?? 'unsubscribed',
  );
  const isOut = NO_CONSENT.has(textIn(email.consent) ?? '') || email.can_receive_email_marketing === false;
  return mostSevere(isOut ? [...reasons, 'unsubscribed'] : reasons);
}

/** Maximum number of assets of each kind. */
const MAX_ASSETS_PER_KIND = 166;

const ASSET_LISTS: readonly {
  readonly kind: SourceAsset['kind'];
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly detail?: string;
}[] = [
  { kind: 'list', path: 'lists', query: { 'fields[list]': 'name' } },
  { kind: 'segment', path: 'segments', query: { 'fields[segment]': 'name' } },
  { kind: 'tag', path: 'tags', query: { 'fields[tag]': 'name' } },
  { kind: 'automation', path: 'flows', query: { 'fields[flow]': 'name,status' }, detail: 'status' },
  { kind: 'template', path: 'templates', query: { 'fields[template]': 'name' } },
  {
    kind: 'campaign',
    path: 'campaigns',
    query: { 'fields[campaign]': 'name,status', filter: "equals(messages.channel,'email')" },
    detail: 'status',
  },
];

async function readAssets(credentials: Credentials, calls: SourceCalls): Promise<SourceAsset[]> {
  const assets: SourceAsset[] = [];
  for (const each of ASSET_LISTS) {
    const items = await emptyIfDenied(readAll(calls, credentials, each.path, each.query));
    assets.push(
      ...assetsFrom(each.kind, items, (item) => {
        const attributes = objectIn(item.attributes);
        return { name: attributes.name, ...(each.detail ? { detail: attributes[each.detail] } : {}) };
      }),
    );
  }
  return assets;
}

async function readAll(
  calls: SourceCalls,
  credentials: Credentials,
  path: string,
  fixed: Readonly<Record<string, string>>,
): Promise<readonly unknown[]> {
  const all: unknown[] = [];
  let next: string | null = null;
  let empty = 0;
  do {
    const query = new URLSearchParams({ ...fixed, ...(next === null ? {} : { 'page[cursor]': next }) });
    const url = `${calls.baseUrl(BASE_URL)}/api/${path}?${query.toString()}`;
    const { page, items } = pageIn(await sendRequest(calls, url, headersOf(credentials)), 'data');
    all.push(...items);
    empty = emptyPages(empty, items);
    next = nextIn(page.links, next);
  } while (next !== null && all.length < MAX_ASSETS_PER_KIND);
  return all.slice(0, MAX_ASSETS_PER_KIND);
}
