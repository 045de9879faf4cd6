/**
 * The totals of a period match its rows, to the millisecond, whether they come from daily or hourly rollups,
 * pending changes or rows. Rows of other tenants are not included.
 */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import pg from 'pg';
import { DataSource } from 'typeorm';
import type { DateRange } from '../../src/kernel/date-range.js';
import { PeriodTotals } from '../../src/modules/metrics/application/period-totals.js';
import { Rollups } from '../../src/modules/metrics/application/rollups.js';
import { EnteredTrips } from '../../src/modules/metrics/application/entered-trips.js';
import { ActivityRepository } from '../../src/modules/metrics/persistence/activity.repository.js';
import { PeriodTotalsRepository } from '../../src/modules/metrics/persistence/period-totals.repository.js';
import { RollupRepository } from '../../src/modules/metrics/persistence/rollup.repository.js';
import { TripRollupRepository } from '../../src/modules/metrics/persistence/trip-rollup.repository.js';
import { formatHistory } from '../../src/modules/trips/domain/trip-history.js';
import { appOptions, dispatchPool, readerPool } from '../../src/platform/database/data-source.js';
import { Database } from '../../src/platform/database/database.js';
import { ReaderDatabase } from '../../src/platform/database/reader-database.js';
import { makeLogger } from '../../src/platform/logging/logger.js';
import { SCHEMA } from '../../src/processes/schema.js';
import { DAY, HOUR } from '../support/clock.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { repetitions, runs } from '../support/test-scope.js';

const START = Date.UTC(2026, 1, 26);
const FLOWS = [randomUUID(), randomUUID()] as const;
const SLUGS = ['welcome', 'news'] as const;

let stored: TestDatabase;
let source: DataSource;
let database: Database;
let admin: pg.Client;
let readerDatabase: ReaderDatabase;
let sums: PeriodTotals;
let rollups: Rollups;

beforeAll(async () => {
  stored = await createTestDatabase();
  admin = new pg.Client({ connectionString: stored.adminUrl });
  await admin.connect();
  source = await new DataSource(appOptions(stored.adminUrl, SCHEMA, 4)).initialize();
  const logger = makeLogger('period sums', 'silent');
  database = new Database(source, dispatchPool(stored.adminUrl), logger);
  readerDatabase = new ReaderDatabase(readerPool(stored.adminUrl));
  sums = new PeriodTotals(new PeriodTotalsRepository(readerDatabase));
  rollups = new Rollups(database, new RollupRepository(), new ActivityRepository(), logger);
});
afterAll(async () => {
  await readerDatabase.onApplicationShutdown();
  await database.onApplicationShutdown();
  await source.destroy();
  await admin.end();
  await stored.drop();
});

/** Some times are at the boundaries of hours and days. */
const moment = fc
  .oneof(
    fc.integer({ min: 0, max: 4 * DAY }),
    fc.integer({ min: 0, max: 96 }).map((hour) => hour * HOUR),
    fc.integer({ min: 1, max: 96 }).map((hour) => hour * HOUR - 1),
  )
  .map((behind) => new Date(START + behind));
const flag = fc.boolean();
const mail = fc.record({
  at: moment,
  sourceId: fc.constantFrom(null, ...FLOWS),
  slug: fc.constantFrom(...SLUGS),
  isSent: fc.integer({ min: 0, max: 4 }).map((number) => number > 0),
  delivered: flag,
  opened: flag,
  clicked: flag,
  unsubscribed: flag,
});
const trip = fc.record({
  at: moment,
  flowId: fc.constantFrom(...FLOWS),
  status: fc.constantFrom('active', 'completed', 'failed'),
  converted: flag,
  steps: fc.uniqueArray(fc.integer({ min: 1, max: 4 })),
});

async function insert(table: string, rows: readonly Record<string, unknown>[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {});
  if (columns.length === 0) return;
  await admin.query(
    `INSERT INTO ${table} (${columns.join(', ')}) SELECT ${columns.map((name) => `r.${name}`).join(', ')}
     FROM json_populate_recordset(NULL::${table}, $1) AS r`,
    [JSON.stringify(rows)],
  );
}

test('sums of a period are those of its rows', async () => {
  let found = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(mail, { minLength: 20, maxLength: 60 }),
      fc.array(trip, { minLength: 20, maxLength: 60 }),
      fc.array(moment, { maxLength: 20 }),
      fc.array(fc.tuple(moment, moment), { minLength: 8, maxLength: 8 }),
      fc.boolean(),
      async (mails, trips, contacts, asked, isFolded) => {
        const scope = { workspaceId: randomUUID(), environment: 'live' } as const;
        const otherWorkspace = { workspaceId: randomUUID(), environment: 'live' } as const;
        const other = { workspaceId: scope.workspaceId, environment: 'test' } as const;
        for (const { workspaceId, environment } of [scope, other, otherWorkspace]) {
          const ours = { workspace_id: workspaceId, environment };
          await insert(
            'email_logs',
            mails.map((each) => ({
              ...ours,
              ...{ id: randomUUID(), origin: 'direct', origin_id: randomUUID(), origin_step: 0, priority: 0 },
              ...{ contact_id: randomUUID(), source_id: each.sourceId, template_slug: each.slug },
              ...{ content_type: 'promotional', message_id: 'x', to_email: 'a@x.test' },
              ...{ status: each.isSent ? 'sent' : 'suppressed', sent_at: each.isSent ? each.at : null },
              ...{ next_attempt_at: each.at, created_at: each.at, updated_at: each.at },
              delivered_at: each.delivered ? each.at : null,
              opened_at: each.opened ? each.at : null,
              clicked_at: each.clicked ? each.at : null,
              unsubscribed_at: each.unsubscribed ? each.at : null,
            })),
          );
          await insert(
            'trips',
            trips.map(({ at, flowId, status, converted, steps }) => ({
              ...ours,
              ...{ id: randomUUID(), flow_id: flowId, flow_version: 1, contact_id: randomUUID() },
              ...{ trigger_event_id: randomUUID(), status, last_step: 0, started_at: at, updated_at: at },
              ...{
                converted,
                trail: formatHistory(steps.map((stepId) => ({ at, stepId, outcome: 'sent' }))),
              },
            })),
          );
          await insert(
            'contacts',
            contacts.map((at) => ({
              ...ours,
              ...{ id: randomUUID(), external_id: randomUUID(), subscription_status: 'subscribed' },
              ...{ properties: {}, tags: [], created_at: at, updated_at: at },
            })),
          );
        }
        // The engine records steps; this test inserts them directly.
        await admin.query(
          `INSERT INTO step_changes (workspace_id, environment, id, at, flow_id, step_id, trips)
           SELECT t.workspace_id, t.environment, gen_random_uuid(), date_trunc('hour', t.started_at, 'UTC'), t.flow_id, step, 1
           FROM trips t CROSS JOIN LATERAL trail_steps(t.trail) AS step WHERE t.workspace_id = $1`,
          [scope.workspaceId],
        );
        if (isFolded) await rollups.fold(scope, () => true);

        for (const [one, two] of asked) {
          const range: DateRange = one < two ? { from: one, to: two } : { from: two, to: one };
          const within = <Row extends { readonly at: Date }>(rows: readonly Row[]): Row[] =>
            rows.filter(({ at }) => at >= range.from && at <= range.to);
          const sent = within(mails).filter(({ isSent }) => isSent);
          const counted = (rows: typeof sent): object => ({
            sent: rows.length,
            delivered: rows.filter(({ delivered }) => delivered).length,
            opened: rows.filter(({ opened, clicked }) => opened || clicked).length,
            clicked: rows.filter(({ clicked }) => clicked).length,
            ...{ bounced: 0, complained: 0 },
            unsubscribed: rows.filter(({ unsubscribed }) => unsubscribed).length,
            // None of it was tracked, and no provider reported on it.
            ...{ opensIn: 0, opensOf: 0, clicksIn: 0, clicksOf: 0, bothIn: 0, bothOf: 0, deliveriesOf: 0 },
          });
          const [flow, second] = FLOWS;
          const ofFlow = (id: string): typeof sent => sent.filter(({ sourceId }) => sourceId === id);
          expect(await sums.emails(scope, {}, range)).toEqual(counted(sent));
          expect(await sums.emails(scope, { sourceIds: [] }, range)).toEqual(counted([]));
          expect(await sums.emails(scope, { sourceIds: [flow], templateSlug: 'news' }, range)).toEqual(
            counted(ofFlow(flow).filter(({ slug }) => slug === 'news')),
          );
          const bySource = await sums.emailsBySource(scope, FLOWS, range);
          expect(Object.fromEntries(bySource)).toEqual(
            Object.fromEntries(
              FLOWS.filter((id) => ofFlow(id).length > 0).map((id) => [id, counted(ofFlow(id))]),
            ),
          );

          const through = within(trips).filter(({ flowId }) => flowId === second);
          const entered = through.length;
          expect((await sums.trips(scope, [second], range)).get(second)).toEqual(
            entered === 0
              ? undefined
              : {
                  entered,
                  completed: through.filter(({ status }) => status === 'completed').length,
                  converted: through.filter(({ converted }) => converted).length,
                },
          );
          const figures = new EnteredTrips(new TripRollupRepository());
          expect(await database.inScope(scope, (tx) => figures.countWithin(tx, scope, second, range))).toBe(
            entered,
          );
          const reached = await sums.steps(scope, second, [1, 3], range);
          expect([reached.get(1) ?? 0, reached.get(3) ?? 0, reached.has(2)]).toEqual([
            through.filter(({ steps }) => steps.includes(1)).length,
            through.filter(({ steps }) => steps.includes(3)).length,
            false,
          ]);

          const days = await sums.contactsCreated(scope, range);
          const created: Record<string, number> = {};
          for (const { at } of within(contacts.map((at) => ({ at })))) {
            const day = at.toISOString().slice(0, 10);
            created[day] = (created[day] ?? 0) + 1;
          }
          expect(Object.fromEntries(days)).toEqual(created);
          found += sent.length + entered;
        }
      },
    ),
    { numRuns: runs(10), endOnFailure: true },
  );
  expect(found).toBeGreaterThan(repetitions({ short: 100, full: 500 }));
});
