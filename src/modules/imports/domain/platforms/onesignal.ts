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
import type { ForeignContact, ForeignThing, OptOutReason } from '../foreign-contact.js';
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
  thingsFrom,
} from './foreign-fields.js';
import {
  ask,
  assertUsable,
  goodAnswer,
  itemsWhereAllowed,
  misunderstood,
  type PlatformAnswer,
  problemOfKey,
} from './platform-answer.js';
import { type ExportPlan, readPlatformExport, type Started } from './platform-export.js';

const HOME = 'https://api.onesignal.com';

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
const READ_OTHERWISE = new Set([
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
const TAKEN = new Set([...Object.keys(FIELDS), ...READ_OTHERWISE]);

export const onesignal: ImportSource = {
  fields: FIELDS,
  page: readPage,
  things: readThings,
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
type Asking = (path: string, body?: JsonObject) => ReturnType<typeof ask>;

function askingWith(credentials: Credentials, calls: SourceCalls): Asking {
  assertUsable(problemOf(credentials));
  const base = calls.baseUrl(HOME);
  const headers = { authorization: `Key ${credentials.apiKey ?? ''}`, accept: 'application/json' };
  return (path, body) =>
    ask(calls, `${base}/${path.replaceAll('$', credentials.appId ?? '')}`, headers, body);
}

async function readPage(
  credentials: Credentials,
  cursor: Cursor | null,
  calls: SourceCalls,
): Promise<SourcePage> {
  const asking = askingWith(credentials, calls);
  const plan: ExportPlan = {
    format: 'csv',
    isHeader: (columns) => columns.includes('identifier') && columns.includes('device_type'),
    platform: 'OneSignal',
    start: () => start(asking),
    standing: (handle) => Promise.resolve({ kind: 'ready', url: handle }),
    isReadyByDownload: true,
    lists: [],
    read: subscriptionIn,
  };
  return readPlatformExport(plan, cursor, calls);
}

async function start(asking: Asking): Promise<Started> {
  const answer = await asking('players/csv_export?app_id=$', { extra_fields: EXTRA_FIELDS });
  const good = goodAnswer(answer);
  if (good === null) {
    if (saysBusy(answer)) return { kind: 'busy' };
    throw new SourceFailure('source_not_found', `OneSignal has no such app to export (${answer.status}).`);
  }
  const url = textIn(good.csv_file_url);
  if (url !== null) return { kind: 'started', handle: url };
  if (saysBusy(answer)) return { kind: 'busy' };
  throw misunderstood('contains no export');
}

/** Only one export of an account can run at a time. */
function saysBusy({ value }: PlatformAnswer): boolean {
  return /already|another|concurren/i.test(JSON.stringify(value ?? ''));
}

/** A device without a known person is no contact. */
function subscriptionIn(record: JsonObject, row: number): ForeignContact | null {
  const type = textIn(record.device_type);
  const externalId = textIn(record.external_user_id);
  const identifier = textIn(record.identifier);
  if (externalId === null && type !== EMAIL && type !== SMS) return null;
  const pairs: FieldPair[] = [
    ['email', type === EMAIL ? identifier : null],
    ['phone', type === SMS ? identifier : null],
    ['language', localeIn(record.language)],
    ...ownFields(record, READ_OTHERWISE),
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
  return Object.hasOwn(record, name) || (TAKEN.has(name) && name !== 'first_name' && name !== 'last_name');
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
const MOST_OF_A_KIND = 300;

async function readThings(credentials: Credentials, calls: SourceCalls): Promise<ForeignThing[]> {
  const asking = askingWith(credentials, calls);
  const segments = await itemsWhereAllowed(
    asking(`apps/$/segments?limit=${MOST_OF_A_KIND}&offset=0`),
    'segments',
  );
  const templates = await pagesOf(asking, 'templates?app_id=$', 'templates');
  const campaigns = await pagesOf(asking, 'notifications?app_id=$&kind=0', 'notifications');
  return [
    ...thingsFrom('segment', segments.slice(0, MOST_OF_A_KIND), ({ name }) => ({ name })),
    ...thingsFrom('template', templates, ({ name, channel }) => ({ name, detail: channel })),
    ...thingsFrom('campaign', campaigns, ({ name }) => ({ name })),
  ];
}

/** Items of a page; the maximum that the API allows. */
const ITEMS = 50;

async function pagesOf(asking: Asking, path: string, list: string): Promise<readonly unknown[]> {
  const all: unknown[] = [];
  while (all.length < MOST_OF_A_KIND) {
    const some = await itemsWhereAllowed(asking(`${path}&limit=${ITEMS}&offset=${all.length}`), list);
    all.push(...some);
    if (some.length < ITEMS) break;
  }
  return all.slice(0, MOST_OF_A_KIND);
}
