/**
 * Cohorts match a count of people by hand: for every cohort event and activity, over random contacts, events,
 * trips and messages of two workspaces in both environments, and for ranges that begin and end within days.
 */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import pg from 'pg';
import { DataSource } from 'typeorm';
import type { DateRange } from '../../src/kernel/date-range.js';
import type { TenantScope } from '../../src/kernel/tenant-scope.js';
import { Cohorts } from '../../src/modules/metrics/application/cohorts.js';
import { PeriodTotals } from '../../src/modules/metrics/application/period-totals.js';
import { CostlyQueryCache } from '../../src/modules/metrics/application/costly-query-cache.js';
import { Rollups } from '../../src/modules/metrics/application/rollups.js';
import type {
  Cohort,
  CohortMembers,
  CohortPeriod,
  CohortQuery,
  CohortReturn,
} from '../../src/modules/metrics/domain/cohort.js';
import { ActivityRepository } from '../../src/modules/metrics/persistence/activity.repository.js';
import { CohortRepository } from '../../src/modules/metrics/persistence/cohort.repository.js';
import { PeriodTotalsRepository } from '../../src/modules/metrics/persistence/period-totals.repository.js';
import { RollupRepository } from '../../src/modules/metrics/persistence/rollup.repository.js';
import { appOptions, dispatchPool, readerPool } from '../../src/platform/database/data-source.js';
import { Database } from '../../src/platform/database/database.js';
import { ReaderDatabase } from '../../src/platform/database/reader-database.js';
import { makeLogger } from '../../src/platform/logging/logger.js';
import { SCHEMA } from '../../src/processes/schema.js';
import { DAY, HOUR, ManualClock } from '../support/clock.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { repetitions, runs } from '../support/test-scope.js';

const NOW = Date.UTC(2026, 3, 15, 10);
const FLOWS = [randomUUID(), randomUUID()] as const;
const NAMES = ['opened_app', 'order_placed'] as const;

let stored: TestDatabase;
let source: DataSource;
let database: Database;
let admin: pg.Client;
let readerDatabase: ReaderDatabase;
let cohorts: Cohorts;
let rollups: Rollups;

beforeAll(async () => {
  stored = await createTestDatabase();
  admin = new pg.Client({ connectionString: stored.adminUrl });
  await admin.connect();
  source = await new DataSource(appOptions(stored.adminUrl, SCHEMA, 4)).initialize();
  const logger = makeLogger('cohorts', 'silent');
  database = new Database(source, dispatchPool(stored.adminUrl), logger);
  readerDatabase = new ReaderDatabase(readerPool(stored.adminUrl));
  const sums = new PeriodTotals(new PeriodTotalsRepository(readerDatabase));
  const clock = new ManualClock(new Date(NOW));
  cohorts = new Cohorts(new CohortRepository(readerDatabase), sums, new CostlyQueryCache(clock), clock);
  rollups = new Rollups(database, new RollupRepository(), new ActivityRepository(), logger);
});
afterAll(async () => {
  await readerDatabase.onApplicationShutdown();
  await database.onApplicationShutdown();
  await source.destroy();
  await admin.end();
  await stored.drop();
});

interface Person {
  readonly id: string;
  readonly externalId: string;
  readonly createdAt: Date;
  readonly events: readonly { readonly name: string; readonly at: Date; readonly isProcessed: boolean }[];
  readonly trips: readonly { readonly flowId: string; readonly at: Date }[];
  readonly mails: readonly { readonly openedAt: Date | null; readonly clickedAt: Date | null }[];
}

/** Some times are at the boundaries of days, weeks and months. */
const moment = fc
  .oneof(
    fc.integer({ min: -75 * DAY, max: 0 }),
    fc.integer({ min: -75, max: 0 }).map((day) => day * DAY - 10 * HOUR),
    fc.integer({ min: -75, max: 0 }).map((day) => day * DAY - 10 * HOUR - 1),
  )
  .map((behind) => new Date(NOW + behind));
const person: fc.Arbitrary<Person> = fc.record({
  id: fc.constant('').map(() => randomUUID()),
  externalId: fc.constant('').map(() => randomUUID()),
  createdAt: moment,
  events: fc.array(
    fc.record({
      name: fc.constantFrom(...NAMES),
      at: moment,
      isProcessed: fc.integer({ min: 0, max: 5 }).map((number) => number > 0),
    }),
    { maxLength: 6 },
  ),
  trips: fc.array(fc.record({ flowId: fc.constantFrom(...FLOWS), at: moment }), { maxLength: 3 }),
  mails: fc.array(fc.record({ openedAt: fc.option(moment), clickedAt: fc.option(moment) }), { maxLength: 3 }),
});

async function insert(table: string, rows: readonly Record<string, unknown>[]): Promise<void> {
  if (rows.length === 0) return;
  const columns = Object.keys(rows[0] ?? {});
  await admin.query(
    `INSERT INTO ${table} (${columns.join(', ')}) SELECT ${columns.map((name) => `r.${name}`).join(', ')}
     FROM json_populate_recordset(NULL::${table}, $1) AS r`,
    [JSON.stringify(rows)],
  );
}

async function store(scope: TenantScope, people: readonly Person[]): Promise<void> {
  const ours = { workspace_id: scope.workspaceId, environment: scope.environment };
  await insert(
    'contacts',
    people.map(({ id, externalId, createdAt }) => ({
      ...ours,
      ...{ id, external_id: externalId, subscription_status: 'subscribed', properties: {}, tags: [] },
      ...{ created_at: createdAt, updated_at: createdAt },
    })),
  );
  await insert(
    'events',
    people.flatMap(({ externalId, events }) =>
      events.map(({ name, at, isProcessed }) => ({
        ...ours,
        ...{ id: randomUUID(), external_id: externalId, event_name: name, attributes: {} },
        ...{ occurred_at: at, received_at: at, processed_at: isProcessed ? at : null },
      })),
    ),
  );
  await insert(
    'trips',
    people.flatMap(({ id, trips }) =>
      trips.map(({ flowId, at }) => ({
        ...ours,
        ...{
          id: randomUUID(),
          flow_id: flowId,
          flow_version: 1,
          contact_id: id,
          trigger_event_id: randomUUID(),
        },
        ...{ status: 'active', last_step: 0, started_at: at, updated_at: at, trail: '', converted: false },
      })),
    ),
  );
  await insert(
    'email_logs',
    people.flatMap(({ id, mails }) =>
      mails.map(({ openedAt, clickedAt }) => ({
        ...ours,
        ...{
          id: randomUUID(),
          origin: 'direct',
          origin_id: randomUUID(),
          origin_step: 0,
          contact_id: id,
          priority: 0,
        },
        ...{ template_slug: 'hello', content_type: 'promotional', status: 'sent', message_id: 'x' },
        ...{ next_attempt_at: new Date(NOW), created_at: new Date(NOW), updated_at: new Date(NOW) },
        ...{ sent_at: new Date(NOW), opened_at: openedAt, clicked_at: clickedAt },
      })),
    ),
  );
  await database.inScope(scope, (tx) => new ActivityRepository().correct(tx, scope));
}

/** The first day of the period, found by stepping back day by day. */
function first(period: CohortPeriod, at: Date): string {
  let day = at.toISOString().slice(0, 10);
  if (period === 'month') return `${day.slice(0, 8)}01`;
  while (period === 'week' && new Date(`${day}T00:00:00Z`).getUTCDay() !== 1) day = dayBehind(day, -1);
  return day;
}

function dayBehind(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY).toISOString().slice(0, 10);
}

function next(period: CohortPeriod, start: string): string {
  let day = dayBehind(start, 1);
  while (first(period, new Date(`${day}T00:00:00Z`)) === start) day = dayBehind(day, 1);
  return day;
}

function begun(person: Person, members: CohortMembers, { from, to }: DateRange): Date | undefined {
  const all =
    members.by === 'contact_created'
      ? [person.createdAt]
      : members.by === 'flow_entered'
        ? person.trips.filter(({ flowId }) => flowId === members.flowId).map(({ at }) => at)
        : person.events
            .filter(({ name, isProcessed }) => isProcessed && name === members.eventName)
            .map(({ at }) => at);
  return all.filter((at) => at >= from && at <= to).sort((a, b) => a.getTime() - b.getTime())[0];
}

function returned(person: Person, returns: CohortReturn): Date[] {
  const named = returns.by === 'event' ? returns.eventName : undefined;
  const moments = {
    event: person.events
      .filter(({ name, isProcessed }) => isProcessed && (named === undefined || name === named))
      .map(({ at }) => at),
    // A click counts as an open, whether or not images were shown.
    email_opened: person.mails.map(({ openedAt, clickedAt }) => openedAt ?? clickedAt),
    email_clicked: person.mails.map(({ clickedAt }) => clickedAt),
  };
  const chosen = returns.by === 'any' ? Object.values(moments).flat() : moments[returns.by];
  return chosen.filter((at) => at !== null);
}

function countedByHand(people: readonly Person[], question: CohortQuery): Cohort[] {
  const { members, returns, period, periods, range } = question;
  const table: Cohort[] = [];
  for (let start = first(period, range.from); start <= range.to.toISOString(); start = next(period, start)) {
    const ours = people.filter((one) => {
      const at = begun(one, members, range);
      return at && first(period, at) === start;
    });
    const values: { index: number; count: number; rate: number }[] = [];
    for (let index = 0, active = start; index < periods; index++, active = next(period, active)) {
      if (Date.parse(`${active}T00:00:00Z`) > NOW) break;
      const count = ours.filter((one) =>
        returned(one, returns).some((at) => first(period, at) === active),
      ).length;
      const rate = ours.length === 0 ? 0 : Math.round((count * 10_000) / ours.length) / 100;
      values.push({ index, count, rate });
    }
    table.push({ start, size: ours.length, values });
  }
  return table;
}

const MEMBERS: readonly CohortMembers[] = [
  { by: 'contact_created' },
  { by: 'flow_entered', flowId: FLOWS[0] },
  { by: 'event', eventName: NAMES[0] },
];
const RETURNS: readonly CohortReturn[] = [
  { by: 'any' },
  { by: 'event' },
  { by: 'event', eventName: NAMES[1] },
  { by: 'email_opened' },
  { by: 'email_clicked' },
];
const KINDS = MEMBERS.flatMap((members) =>
  RETURNS.flatMap((returns) =>
    (['day', 'week', 'month'] as const).map((period) => ({ members, returns, period })),
  ),
);

test('cohorts are what counting by hand gives, whatever they are made by', async () => {
  const range = fc.tuple(moment, moment).map(([a, b]) => (a < b ? { from: a, to: b } : { from: b, to: a }));
  let found = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(person, { minLength: 8, maxLength: 25 }), { minLength: 4, maxLength: 4 }),
      fc.array(fc.tuple(range, fc.integer({ min: 1, max: 24 }), fc.nat(3)), {
        minLength: KINDS.length,
        maxLength: KINDS.length,
      }),
      async (tenants, asked) => {
        const [one, other] = [randomUUID(), randomUUID()];
        const scopes = [one, other].flatMap((workspaceId) =>
          (['live', 'test'] as const).map((environment) => ({ workspaceId, environment })),
        );
        for (const [i, scope] of scopes.entries()) await store(scope, tenants[i] ?? []);
        // Folds the pending changes of one scope into the rollups; the others keep theirs pending.
        await rollups.fold(scopes[1]!, () => true);
        for (const [i, kind] of KINDS.entries()) {
          const [within, periods, tenant] = asked[i]!;
          const question = { ...kind, periods, range: within };
          const counted = await cohorts.of(scopes[tenant]!, question);
          expect({ question, counted }).toEqual({
            question,
            counted: countedByHand(tenants[tenant] ?? [], question),
          });
          found += counted.flatMap(({ values }) => values).filter(({ count }) => count > 0).length;
        }
      },
    ),
    // Shrinking is off: smaller cases fail as well, and take minutes to find.
    { numRuns: runs(8), endOnFailure: true },
  );
  expect(found).toBeGreaterThan(repetitions({ short: 100, full: 500 }));
});

test('a range that has not come yet has its cohorts, of nobody, and without values', async () => {
  const scope = { workspaceId: randomUUID(), environment: 'live' } as const;
  const range = { from: new Date(NOW + 30 * DAY), to: new Date(NOW + 40 * DAY) };
  for (const members of MEMBERS)
    expect(
      await cohorts.of(scope, { members, returns: { by: 'any' }, period: 'week', periods: 3, range }),
    ).toEqual([
      { start: '2026-05-11', size: 0, values: [] },
      { start: '2026-05-18', size: 0, values: [] },
      { start: '2026-05-25', size: 0, values: [] },
    ]);
});

test('a question that the database gives up is refused, and not a fault', async () => {
  const scope = { workspaceId: randomUUID(), environment: 'live' } as const;
  await admin.query(
    `INSERT INTO events (workspace_id, id, environment, external_id, event_name, attributes, occurred_at, received_at, processed_at)
     SELECT $1, gen_random_uuid(), 'live', 'c' || n, 'seen', '{}', $2, $2, $2 FROM generate_series(1, 50000) AS n`,
    [scope.workspaceId, new Date(NOW)],
  );
  const pool = readerPool(stored.adminUrl);
  pool.on('connect', (client) => void client.query('SET statement_timeout = 1'));
  const hasty = new ReaderDatabase(pool);
  const range = { from: new Date(NOW - DAY), to: new Date(NOW) };
  const question: CohortQuery = {
    ...{ members: { by: 'event', eventName: 'seen' }, returns: { by: 'any' } },
    ...{ period: 'day', periods: 2, range },
  };
  const asked = new CohortRepository(hasty).ofMembers(scope, question, { from: range.from, until: range.to });
  await expect(asked).rejects.toMatchObject({ code: 'work_too_costly' });
  await hasty.onApplicationShutdown();
});
