/**
 * Mailchimp: members of one audience ("list") or of all, in pages of 1,000. Based on
 * https://mailchimp.com/developer/marketing/docs/fundamentals/, …/docs/methods-parameters/, …/docs/errors/,
 * …/api/lists/get-lists-info/, …/api/list-members/list-members-info/, …/api/list-segments/list-segments/,
 * …/api/templates/list-templates/, …/api/campaigns/list-campaigns/, …/api/automations/list-automations/.
 * Calls are made one at a time, since an account has ten connections. `mailchimp-pages.ts` describes how pages stay
 * consistent while members are added and deleted.
 */
import { isJsonObject, type JsonObject } from '../../../../kernel/json.js';
import type { SourceContact, SourceAsset, OptOutReason, UnreadableRecord } from '../source-record.js';
import type { MappingTarget } from '../import-job.js';
import type { CredentialProblem, Cursor, ImportSource, SourceCalls, SourcePage } from '../import-source.js';
import { SourceFailure } from '../import-source.js';
import type { Credentials } from '../platform.js';
import {
  addedFields,
  countIn,
  fieldsFrom,
  type FieldPair,
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
  type ListState,
  MAX_LISTS,
  MAX_COUNTED_LISTS,
  PAGE_SIZE,
  type MailchimpCursor,
  readCursor,
  selectNewMembers,
} from './mailchimp-pages.js';
import {
  sendRequest,
  assertUsable,
  unexpectedResponse,
  emptyIfDenied,
  pageIn,
  readOrShrinkPage,
  problemOfKey,
  reducedPageSize,
} from './platform-answer.js';

const FIELDS: Readonly<Record<string, MappingTarget>> = {
  email_address: 'email',
  FNAME: 'first_name',
  LNAME: 'last_name',
  PHONE: 'phone',
  language: 'locale',
  'location.timezone': 'timezone',
};

/** Fields to exclude from the answer; `location`, `merge_fields` and `tags` are read in another way. */
const EXCLUDED_FIELDS = ['_links', 'stats', 'last_note'];
const HANDLED_FIELDS = new Set([
  ...EXCLUDED_FIELDS,
  'id',
  'web_id',
  'unique_email_id',
  'list_id',
  'language',
  'location',
  'merge_fields',
  'tags',
  'tags_count',
]);

/** `pending` and `transactional` members never opted in; archived members receive no mail either. */
const OPT_OUTS: Readonly<Record<string, OptOutReason>> = {
  unsubscribed: 'unsubscribed',
  cleaned: 'bounced',
  pending: 'unsubscribed',
  transactional: 'unsubscribed',
  archived: 'unsubscribed',
};

export const mailchimp: ImportSource = {
  fields: FIELDS,
  page: readPage,
  assets: readAssets,
  problemOf,
};

const DATA_CENTER = /^[a-z0-9]{1,20}$/i;
const LIST_ID = /^[a-z0-9]{1,32}$/i;

function dataCenterOf({ apiKey, extra }: Credentials): string {
  const named = extra.data_center ?? '';
  if (named !== '') return named;
  const key = apiKey ?? '';
  return key.includes('-') ? key.slice(key.lastIndexOf('-') + 1) : '';
}

function problemOf(credentials: Credentials): CredentialProblem | null {
  const problem = problemOfKey(credentials);
  if (problem !== null) return problem;
  const dataCenter = dataCenterOf(credentials);
  if (dataCenter === '')
    return {
      field: 'credentials.extra.data_center',
      message: 'is required if the key does not end in a dash and a data center',
    };
  if (!DATA_CENTER.test(dataCenter))
    return {
      field: 'credentials.extra.data_center',
      message:
        'can only contain letters and digits, such as us21; if omitted, it is taken from the end of the key',
    };
  const list = credentials.extra.list_id ?? '';
  if (list !== '' && !LIST_ID.test(list))
    return { field: 'credentials.extra.list_id', message: 'can only contain letters and digits' };
  return null;
}

/** Requests one path of the API. */
type ApiRequest = (
  path: string,
  query: Readonly<Record<string, string | number>>,
) => ReturnType<typeof sendRequest>;

/** @throws SourceFailure invalid_credentials if there is no such data center: no other host is ever called. */
function apiRequestWith(credentials: Credentials, calls: SourceCalls): ApiRequest {
  assertUsable(problemOf(credentials));
  const base = calls.baseUrl(`https://${dataCenterOf(credentials).toLowerCase()}.api.mailchimp.com/3.0`);
  const basic = Buffer.from(`waypost:${credentials.apiKey ?? ''}`).toString('base64');
  const headers = { authorization: `Basic ${basic}`, accept: 'application/json' };
  return (path, query) => {
    const parameters = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) parameters.set(name, String(value));
    return sendRequest(calls, `${base}/${path}?${parameters.toString()}`, headers);
  };
}

async function readPage(
  credentials: Credentials,
  cursor: Cursor | null,
  calls: SourceCalls,
): Promise<SourcePage> {
  const request = apiRequestWith(credentials, calls);
  const named = credentials.extra.list_id ?? '';
  const position = readCursor(cursor) ?? (await firstPosition(request, named));
  const [list] = position.lists;
  if (!list) return { records: [], next: null, total: position.row - 1 };
  return readOrShrinkPage({ ...position }, () => readMembers(request, named, position, list));
}

async function readMembers(
  request: ApiRequest,
  named: string,
  position: MailchimpCursor,
  list: ListState,
): Promise<SourcePage> {
  const answer = await request(`lists/${encodeURIComponent(list.id)}/members`, {
    count: position.pageSize,
    offset: position.offset,
    sort_field: 'timestamp_signup',
    sort_dir: 'ASC',
    exclude_fields: ['_links', ...EXCLUDED_FIELDS.map((field) => `members.${field}`)].join(','),
  });
  if (answer.status === 404 && named === '') return withoutList(position);
  if (answer.status === 404)
    throw new SourceFailure(
      'source_not_found',
      'Mailchimp has no audience with the ID in credentials.extra.list_id.',
    );
  const pageSize = reducedPageSize(answer, position.pageSize);
  if (pageSize !== null) return { records: [], next: { ...position, pageSize } };
  const { page, items } = pageIn(answer, 'members');
  const selected = selectNewMembers(position, items, countIn(page.total_items));
  return {
    records: recordsFrom(selected.items, position.row, memberIn),
    next: selected.next,
    ...(selected.total === null ? {} : { total: selected.total }),
  };
}

/** An audience that was deleted while others were read. */
function withoutList(position: MailchimpCursor): SourcePage {
  const lists = position.lists.slice(1);
  const next = lists.length === 0 ? null : { ...position, lists, offset: 0, seen: [], stepsBack: 0 };
  return { records: [], next: next && { ...next } };
}

/** All audiences, or the named one, each with its number of members, unless there are very many. */
async function firstPosition(request: ApiRequest, named: string): Promise<MailchimpCursor> {
  const ids = named === '' ? await listIds(request) : [named];
  const isCounted = ids.length > 1 && ids.length <= MAX_COUNTED_LISTS;
  const lists: ListState[] = [];
  for (const id of ids) lists.push({ id, total: isCounted ? await membersOf(request, id) : null });
  return { row: 1, lists, offset: 0, seen: [], stepsBack: 0, pageSize: PAGE_SIZE };
}

async function listIds(request: ApiRequest): Promise<string[]> {
  const answer = await request('lists', { count: MAX_LISTS + 1, fields: 'lists.id,total_items' });
  const ids = pageIn(answer, 'lists').items.flatMap((list) => {
    const id = textIn(objectIn(list).id);
    if (id === null || !LIST_ID.test(id)) throw unexpectedResponse('contains an audience without an ID');
    return [id];
  });
  if (ids.length > MAX_LISTS)
    throw new SourceFailure(
      'source_not_found',
      `The account has more than ${MAX_LISTS} audiences: choose one with credentials.extra.list_id.`,
    );
  return ids;
}

async function membersOf(request: ApiRequest, list: string): Promise<number | null> {
  const answer = await request(`lists/${encodeURIComponent(list)}/members`, {
    count: 1,
    fields: 'total_items',
  });
  return countIn(objectIn(answer.value).total_items);
}

function memberIn(item: unknown, row: number): SourceContact | UnreadableRecord {
  if (!isJsonObject(item)) return unreadable(row, null, 'The member is not an object.');
  const { merge_fields: mergeFields } = item;
  const isTaken = (name: string): boolean => name === 'location.timezone' || Object.hasOwn(item, name);
  const pairs: FieldPair[] = [
    ...ownFields(item, HANDLED_FIELDS),
    ['language', localeIn(item.language)],
    ...locationFields(objectIn(item.location)),
    ['tags', listIn(item.tags).flatMap((tag) => textIn(objectIn(tag).name) ?? [])],
    ...addedFields(mergeFields, 'merge_fields', isTaken),
  ];
  return {
    kind: 'contact',
    row,
    // The id is derived from the address. If a person is in several audiences, the address joins them.
    externalId: null,
    fields: fieldsFrom(pairs),
    optOut: OPT_OUTS[textIn(item.status) ?? ''] ?? null,
  };
}

/** If the location is unknown, it is 0° north and 0° east, without a country or time zone. */
function locationFields({ timezone, ...rest }: JsonObject): FieldPair[] {
  const isKnown = textIn(timezone) !== null || textIn(rest.country_code) !== null;
  if (!isKnown) return [];
  return [
    ['location.timezone', textIn(timezone)],
    ['location', rest],
  ];
}

/** Maximum number of assets of each kind. */
const MAX_ASSETS_PER_KIND = 166;

async function readAssets(credentials: Credentials, calls: SourceCalls): Promise<SourceAsset[]> {
  const request = apiRequestWith(credentials, calls);
  const named = credentials.extra.list_id ?? '';
  const all = async (path: string, list: string, fields: string): Promise<readonly unknown[]> => {
    const query = { count: MAX_ASSETS_PER_KIND, fields: fields.replaceAll('$', list) };
    const items = await emptyIfDenied(request(path, query).then((answer) => pageIn(answer, list).items));
    return items.slice(0, MAX_ASSETS_PER_KIND);
  };

  const lists = await all('lists', 'lists', '$.id,$.name');
  const segments: unknown[] = [];
  for (const list of lists) {
    const id = textIn(objectIn(list).id);
    if (id === null || !LIST_ID.test(id) || (named !== '' && id !== named)) continue;
    segments.push(...(await all(`lists/${id}/segments`, 'segments', '$.name,$.type')));
    if (segments.length >= 2 * MAX_ASSETS_PER_KIND) break;
  }
  const isTag = (segment: unknown): boolean => objectIn(segment).type === 'static';
  const titled = (item: JsonObject): { name: unknown; detail: unknown } => ({
    name: textIn(objectIn(item.settings).title) ?? objectIn(item.settings).subject_line,
    detail: item.status,
  });
  const assets = [
    assetsFrom('list', lists, ({ name }) => ({ name })),
    assetsFrom(
      'segment',
      segments.filter((segment) => !isTag(segment)),
      ({ name }) => ({ name }),
    ),
    assetsFrom('tag', segments.filter(isTag), ({ name }) => ({ name })),
    assetsFrom('automation', await all('automations', 'automations', '$.settings.title,$.status'), titled),
    assetsFrom('template', await all('templates', 'templates', '$.name,$.type'), ({ name, type }) => ({
      name: type === 'base' ? null : name,
    })),
    assetsFrom(
      'campaign',
      await all('campaigns', 'campaigns', '$.settings.title,$.settings.subject_line,$.status'),
      titled,
    ),
  ];
  return assets.flatMap((ofKind) => ofKind.slice(0, MAX_ASSETS_PER_KIND));
}
