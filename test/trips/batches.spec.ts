/** The number of trips per batch: as many as requested, unless the data that they need is too large together. */
import type { Trip } from '../../src/modules/trips/domain/trip.js';
import { TripDecisions } from '../../src/modules/trips/application/trip-decisions.js';
import { SegmentService } from '../../src/modules/segments/application/segment.service.js';
import { SegmentRepository } from '../../src/modules/segments/persistence/segment.repository.js';
import { Database } from '../../src/platform/database/database.js';
import { MAX_BATCH_BYTES } from '../../src/platform/database/byte-size.js';
import type { TestWorkspace } from '../support/app.js';
import { until } from '../support/until.js';
import { TripsFixture } from './trips-fixture.js';

const TRIPS = 400;

let fixture: TripsFixture;

beforeAll(async () => {
  fixture = await TripsFixture.lay();
});
afterAll(() => fixture.clear());

/** Creates trips of different people at the first step of a flow, each with a latest `bought` and a trigger event. */
async function standing(workspace: TestWorkspace, steps: object[], attributeBytes: number): Promise<Trip[]> {
  const flowId = await fixture.flow(workspace, { steps });
  const { rows } = await fixture.admin.query<{ id: string; event_id: string }>(
    `WITH people AS (
       INSERT INTO contacts (workspace_id, id, environment, external_id, created_at, updated_at)
       SELECT $1, uuidv7(), 'live', 'p' || i, $4, $4 FROM generate_series(1, $2) i RETURNING id, external_id),
     happened AS (
       INSERT INTO events (workspace_id, id, environment, external_id, event_name, attributes, occurred_at, received_at,
         processed_at)
       SELECT $1, uuidv7(), 'live', external_id, 'bought', jsonb_build_object('sku', 'a', 'note', repeat('x', $3)),
         $4, $4, $4 FROM people RETURNING id, external_id, attributes),
     latest AS (
       INSERT INTO latest_events (workspace_id, environment, external_id, event_name, event_id, attributes, occurred_at)
       SELECT $1, 'live', external_id, 'bought', id, attributes, $4 FROM happened)
     SELECT people.id, happened.id AS event_id FROM people JOIN happened USING (external_id)`,
    [workspace.id, TRIPS, attributeBytes, fixture.app.clock.now()],
  );
  return rows.map(({ id, event_id }) => ({
    id,
    flowId,
    flowVersion: 1,
    contactId: id,
    triggerEventId: event_id,
    lastStep: 0,
    startedAt: fixture.app.clock.now(),
  }));
}

/** The transactions in which trips were decided. */
const own = new Set<unknown>();

async function decided(workspace: TestWorkspace, trips: readonly Trip[]): Promise<number> {
  const scope = { workspaceId: workspace.id, environment: 'live' } as const;
  const decisions = fixture.app.app.get(TripDecisions, { strict: false });
  return fixture.app.app.get(Database).inScope(scope, async (tx) => {
    own.add(tx);
    return (await decisions.decide(tx, scope, trips, fixture.app.clock.now())).length;
  });
}

const ASKS_LATEST = [
  {
    type: 'condition',
    check: { source: 'latest_event', event_name: 'bought', exists: true, attributes: { sku: 'a' } },
  },
];
const ASKS_TRIGGER = [
  {
    type: 'conditional_split',
    branches: [
      { check: { source: 'trigger_event', attribute: 'sku', operator: 'equals', value: 'a' }, steps: [] },
      { steps: [] },
    ],
  },
];

test.each([
  ['latest events', ASKS_LATEST],
  ['events that started them', ASKS_TRIGGER],
])(
  'trips that ask for %s are as many as were given, unless those are too large together',
  async (_, steps) => {
    const small = await fixture.app.workspace();
    expect(await decided(small, await standing(small, steps, 100))).toBe(TRIPS);

    const large = await fixture.app.workspace();
    const bytes = 60_000;
    const count = await decided(large, await standing(large, steps, bytes));
    expect(count).toBeLessThanOrEqual(MAX_BATCH_BYTES / bytes);
    expect(count).toBeGreaterThan(MAX_BATCH_BYTES / bytes - 3);
  },
);

test('segments are read when one has changed, not for every batch', async () => {
  const workspace = await fixture.app.workspace();
  const scope = { workspaceId: workspace.id, environment: 'live' } as const;
  const segments = fixture.app.app.get(SegmentService, { strict: false });
  const asking = (value: string): Parameters<SegmentService['create']>[1] => ({
    name: 'Plan',
    description: '',
    match: 'all',
    conditions: [{ field: 'properties.plan', operator: 'eq', value }],
  });
  const { id } = await segments.create(scope, asking('pro'), null);
  const steps = [
    { type: 'condition', check: { source: 'segment', segment_id: id, member: true } },
    { type: 'update_contact', set: { seen: true } },
  ];
  const trips = await standing(workspace, steps, 1);
  const spy = jest.spyOn(fixture.app.app.get(SegmentRepository, { strict: false }), 'all');
  // Workers that refresh members read segments at the same time.
  const reads = (): number => spy.mock.calls.filter(([tx]) => own.has(tx)).length;
  await decided(workspace, trips);
  const before = reads();
  await decided(workspace, trips);
  await decided(workspace, trips);
  expect(reads()).toBe(before);

  await segments.update(scope, id, asking('free'));
  await until('the change has been heard of', async () => {
    await decided(workspace, trips);
    return reads() > before;
  });
  spy.mockRestore();
});
