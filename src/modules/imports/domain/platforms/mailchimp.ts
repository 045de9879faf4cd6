/**
 * Mailchimp: members of one audience ("list") or of all, in pages of 1,000. Based on
 * https://mailchimp.com/developer/marketing/docs/fundamentals/, …/docs/methods-parameters/, …/docs/errors/,
 * …/api/lists/get-lists-info/, …/api/list-members/list-members-info/, …/api/list-segments/list-segments/,
 * …/api/templates/list-templates/, …/api/campaigns/list-campaigns/, …/api/automations/list-automations/.
 * Calls are made one at a time, since an account has ten connections. `mailchimp-pages.ts` describes how pages stay
 * consistent while members are added and deleted.
 */
import { isJsonObject, type JsonObject } from '../../../../kernel/json.js';
import type { ForeignContact, ForeignThing, OptOutReason, UnreadableRecord } from '../foreign-contact.js';
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
  thingsFrom,
  unreadable,
} from './foreign-fields.js';
import {
  type ListPlace,
  MOST_LISTS,
  MOST_LISTS_COUNTED,
  PAGE_SIZE,
  type Place,
  placeIn,
  takePage,
} from './mailchimp-pages.js';
import {
  ask,
  assertUsable,
  misunderstood,
  noneWhereRefused,
  pageIn,
  pageOrSmaller,
  problemOfKey,
  smallerPage,
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
const LEFT_OUT = ['_links', 'stats', 'last_note'];
const READ_OTHERWISE = new Set([
  ...LEFT_OUT,
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
  things: readThings,
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
type Asking = (path: string, query: Readonly<Record<string, string | number>>) => ReturnType<typeof ask>;

/** @throws SourceFailure invalid_credentials if there is no such data center: no other host is ever called. */
function askingWith(credentials: Credentials, calls: SourceCalls): Asking {
  assertUsable(problemOf(credentials));
  const base = calls.baseUrl(`https://${dataCenterOf(credentials).toLowerCase()}.api.mailchimp.com/3.0`);
  const basic = Buffer.from(`waypost:${credentials.apiKey ?? ''}`).toString('base64');
  const headers = { authorization: `Basic ${basic}`, accept: 'application/json' };
  return (path, query) => {
    const parameters = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) parameters.set(name, String(value));
    return ask(calls, `${base}/${path}?${parameters.toString()}`, headers);
  };
}

async function readPage(
  credentials: Credentials,
  cursor: Cursor | null,
  calls: SourceCalls,
): Promise<SourcePage> {
  const asking = askingWith(credentials, calls);
  const named = credentials.extra.list_id ?? '';
  const place = placeIn(cursor) ?? (await beginning(asking, named));
  const [list] = place.lists;
  if (!list) return { records: [], next: null, total: place.row - 1 };
  return pageOrSmaller({ ...place }, () => readMembers(asking, named, place, list));
}

async function readMembers(
  asking: Asking,
  named: string,
  place: Place,
  list: ListPlace,
): Promise<SourcePage> {
  const answer = await asking(`lists/${encodeURIComponent(list.id)}/members`, {
    count: place.pageSize,
    offset: place.offset,
    sort_field: 'timestamp_signup',
    sort_dir: 'ASC',
    exclude_fields: ['_links', ...LEFT_OUT.map((field) => `members.${field}`)].join(','),
  });
  if (answer.status === 404 && named === '') return withoutList(place);
  if (answer.status === 404)
    throw new SourceFailure(
      'source_not_found',
      'Mailchimp has no audience with the ID in credentials.extra.list_id.',
    );
  const pageSize = smallerPage(answer, place.pageSize);
  if (pageSize !== null) return { records: [], next: { ...place, pageSize } };
  const { page, items } = pageIn(answer, 'members');
  const taken = takePage(place, items, countIn(page.total_items));
  return {
    records: recordsFrom(taken.items, place.row, memberIn),
    next: taken.next,
    ...(taken.total === null ? {} : { total: taken.total }),
  };
}

/** An audience that was deleted while others were read. */
function withoutList(place: Place): SourcePage {
  const lists = place.lists.slice(1);
  const next = lists.length === 0 ? null : { ...place, lists, offset: 0, seen: [], stepsBack: 0 };
  return { records: [], next: next && { ...next } };
}

/** All audiences, or the named one, each with its number of members, unless there are very many. */
async function beginning(asking: Asking, named: string): Promise<Place> {
  const ids = named === '' ? await listIds(asking) : [named];
  const isCounted = ids.length > 1 && ids.length <= MOST_LISTS_COUNTED;
  const lists: ListPlace[] = [];
  for (const id of ids) lists.push({ id, total: isCounted ? await membersOf(asking, id) : null });
  return { row: 1, lists, offset: 0, seen: [], stepsBack: 0, pageSize: PAGE_SIZE };
}

async function listIds(asking: Asking): Promise<string[]> {
  const answer = await asking('lists', { count: MOST_LISTS + 1, fields: 'lists.id,total_items' });
  const ids = pageIn(answer, 'lists').items.flatMap((list) => {
    const id = textIn(objectIn(list).id);
    if (id === null || !LIST_ID.test(id)) throw misunderstood('contains an audience without an ID');
    return [id];
  });
  if (ids.length > MOST_LISTS)
    throw new SourceFailure(
      'source_not_found',
      `The account has more than ${MOST_LISTS} audiences: choose one with credentials.extra.list_id.`,
    );
  return ids;
}

async function membersOf(asking: Asking, list: string): Promise<number | null> {
  const answer = await asking(`lists/${encodeURIComponent(list)}/members`, {
    count: 1,
    fields: 'total_items',
  });
  return countIn(objectIn(answer.value).total_items);
}

function memberIn(item: unknown, row: number): ForeignContact | UnreadableRecord {
  if (!isJsonObject(item)) return unreadable(row, null, 'The member is not an object.');
  const { merge_fields: mergeFields } = item;
  const isTaken = (name: string): boolean => name === 'location.timezone' || Object.hasOwn(item, name);
  const pairs: FieldPair[] = [
    ...ownFields(item, READ_OTHERWISE),
    ['language', localeIn(item.language)],
    ...placeOf(objectIn(item.location)),
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
function placeOf({ timezone, ...rest }: JsonObject): FieldPair[] {
  const isKnown = textIn(timezone) !== null || textIn(rest.country_code) !== null;
  if (!isKnown) return [];
  return [
    ['location.timezone', textIn(timezone)],
    ['location', rest],
  ];
}

/** Maximum number of assets of each kind. */
const MOST_OF_A_KIND = 166;

async function readThings(credentials: Credentials, calls: SourceCalls): Promise<ForeignThing[]> {
  const asking = askingWith(credentials, calls);
  const named = credentials.extra.list_id ?? '';
  const all = async (path: string, list: string, fields: string): Promise<readonly unknown[]> => {
    const query = { count: MOST_OF_A_KIND, fields: fields.replaceAll('$', list) };
    const items = await noneWhereRefused(asking(path, query).then((answer) => pageIn(answer, list).items));
    return items.slice(0, MOST_OF_A_KIND);
  };

  const lists = await all('lists', 'lists', '$.id,$.name');
  const segments: unknown[] = [];
  for (const list of lists) {
    const id = textIn(objectIn(list).id);
    if (id === null || !LIST_ID.test(id) || (named !== '' && id !== named)) continue;
    segments.push(...(await all(`lists/${id}/segments`, 'segments', '$.name,$.type')));
    if (segments.length >= 2 * MOST_OF_A_KIND) break;
  }
  const isTag = (segment: unknown): boolean => objectIn(segment).type === 'static';
  const titled = (item: JsonObject): { name: unknown; detail: unknown } => ({
    name: textIn(objectIn(item.settings).title) ?? objectIn(item.settings).subject_line,
    detail: item.status,
  });
  const things = [
    thingsFrom('list', lists, ({ name }) => ({ name })),
    thingsFrom(
      'segment',
      segments.filter((segment) => !isTag(segment)),
      ({ name }) => ({ name }),
    ),
    thingsFrom('tag', segments.filter(isTag), ({ name }) => ({ name })),
    thingsFrom('automation', await all('automations', 'automations', '$.settings.title,$.status'), titled),
    thingsFrom('template', await all('templates', 'templates', '$.name,$.type'), ({ name, type }) => ({
      name: type === 'base' ? null : name,
    })),
    thingsFrom(
      'campaign',
      await all('campaigns', 'campaigns', '$.settings.title,$.settings.subject_line,$.status'),
      titled,
    ),
  ];
  return things.flatMap((ofKind) => ofKind.slice(0, MOST_OF_A_KIND));
}
