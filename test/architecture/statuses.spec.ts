/**
 * Each entity has one list of statuses, and the literals in SQL match it. A typing error in a condition would
 * otherwise match no rows without an error.
 */
import { readFileSync } from 'node:fs';
import { VALIDATION_STATUSES } from '../../src/language/language.js';
import { CAMPAIGN_STATUSES } from '../../src/modules/campaigns/domain/campaign-status.js';
import { SUBSCRIPTION_STATUSES } from '../../src/modules/contacts/domain/contact.js';
import { EMAIL_LOG_STATUSES } from '../../src/modules/delivery/domain/email-log-transitions.js';
import { EMAIL_ORIGINS } from '../../src/modules/delivery/domain/email-origin.js';
import { DOMAIN_STATUSES } from '../../src/modules/domains/domain/sending-domain.js';
import { FLOW_STATUSES } from '../../src/modules/flows/domain/flow.js';
import { IMPORT_STATUSES } from '../../src/modules/imports/domain/import-job.js';
import { FINDING_STATUSES } from '../../src/modules/inspect/domain/findings/finding-mark.js';
import { JOB_STATUSES } from '../../src/modules/inspect/domain/runs/inspect-job.js';
import { NOTICE_STATUSES } from '../../src/modules/notices/domain/notice.js';
import { STORED_STATUSES } from '../../src/modules/reports/domain/recipient-state.js';
import { TRIP_STATUSES } from '../../src/modules/trips/domain/trip-transitions.js';
import { WORKSPACE_STATUSES } from '../../src/modules/workspaces/domain/workspace.js';
import { filesOf } from './sources.js';
import { textsIn } from './sql-tables.js';

/** The values of `status` in the SQL of a module; reports read those of several modules. */
const STATUSES: Readonly<Record<string, readonly string[]>> = {
  // In addition to their own, the statuses of their messages.
  campaigns: [...CAMPAIGN_STATUSES, ...EMAIL_LOG_STATUSES],
  // The query for due messages also checks whether a workspace is suspended.
  delivery: [...EMAIL_LOG_STATUSES, ...WORKSPACE_STATUSES],
  domains: DOMAIN_STATUSES,
  flows: FLOW_STATUSES,
  imports: IMPORT_STATUSES,
  inspect: [...JOB_STATUSES, ...FINDING_STATUSES],
  metrics: [...EMAIL_LOG_STATUSES, ...FLOW_STATUSES, ...TRIP_STATUSES],
  notices: NOTICE_STATUSES,
  trips: TRIP_STATUSES,
  workspaces: WORKSPACE_STATUSES,
  reports: [...EMAIL_LOG_STATUSES, ...FLOW_STATUSES, ...STORED_STATUSES],
};
const COLUMN =
  /\b(subscription_status|origin|status)\s*(?:=|<>|(?:NOT )?IN)\s*(\(?'[^']*'(?:\s*,\s*'[^']*')*)/g;

/** Literals in a source's SQL that are compared with or assigned to a status but are not one. */
function unknownStatuses(module: string, source: string): string[] {
  const lists: Readonly<Record<string, readonly string[]>> = {
    subscription_status: SUBSCRIPTION_STATUSES,
    origin: EMAIL_ORIGINS,
    status: STATUSES[module] ?? [],
  };
  return textsIn(source).flatMap((text) =>
    [...text.matchAll(COLUMN)].flatMap(([, column = '', values = '']) =>
      [...values.matchAll(/'([^']*)'/g)].flatMap(([, value = '']) =>
        lists[column]?.includes(value) ? [] : [`${column} ${value}`],
      ),
    ),
  );
}

const LISTS: readonly (readonly string[])[] = [
  CAMPAIGN_STATUSES,
  DOMAIN_STATUSES,
  EMAIL_LOG_STATUSES,
  EMAIL_ORIGINS,
  FLOW_STATUSES,
  IMPORT_STATUSES,
  JOB_STATUSES,
  NOTICE_STATUSES,
  STORED_STATUSES,
  SUBSCRIPTION_STATUSES,
  TRIP_STATUSES,
  VALIDATION_STATUSES,
  WORKSPACE_STATUSES,
];

/** Complete lists of statuses in a source, as an array or as a type. */
function writtenLists(source: string): string[] {
  const LIST = /'\w+'(?:\s*[,|]\s*'\w+')+/g;
  return (source.match(LIST) ?? [])
    .map((written) => [...written.matchAll(/\w+/g)].map(([status]) => status).sort())
    .filter((written) => LISTS.some((list) => list.toSorted().join() === written.join()))
    .map((written) => written.join());
}

const files = filesOf('src/modules').filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'));

test('SQL compares and sets statuses of the lists alone', () => {
  const found = files.flatMap((file) =>
    unknownStatuses(file.split('/')[2] ?? '', readFileSync(file, 'utf8')).map((what) => `${file}: ${what}`),
  );
  expect(found).toEqual([]);
});

test('each list is written out once', () => {
  const found = [...files, ...filesOf('src/language')]
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
    .flatMap((file) => writtenLists(readFileSync(file, 'utf8')));
  expect(found.toSorted()).toEqual(LISTS.map((list) => list.toSorted().join()).toSorted());
});

test('a status that is in no list is seen', () => {
  const sql =
    "const SQL = `UPDATE t SET status = 'stoped' WHERE t.status IN ('active', 'pausd') AND origin <> 'trap'`;";
  expect(unknownStatuses('trips', sql)).toEqual(['status stoped', 'status pausd', 'origin trap']);
  expect(unknownStatuses('contacts', 'const SQL = "subscription_status = \'deletd\'";')).toEqual([
    'subscription_status deletd',
  ]);
  expect(unknownStatuses('trips', "const SQL = \"status = 'active' AND status <> 'failed'\";")).toEqual([]);
});
