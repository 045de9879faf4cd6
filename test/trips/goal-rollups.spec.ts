/**
 * Conversions match the rules, trip by trip and event by event, and the hourly rollups match a count of them, for
 * any trips, events, goals and periods.
 */
import fc from 'fast-check';
import pg from 'pg';
import type { TenantScope } from '../../src/kernel/tenant-scope.js';
import { earliestId, uuidv7 } from '../../src/kernel/uuid.js';
import type { EventOfContact } from '../../src/modules/events/domain/accepted-event.js';
import { GoalService } from '../../src/modules/flows/application/goal.service.js';
import { attributionWindow, type Goal } from '../../src/modules/flows/domain/goal.js';
import { Conversions } from '../../src/modules/trips/application/conversions.js';
import { GoalConversionsService } from '../../src/modules/trips/application/goal-conversions.service.js';
import { TripCounters } from '../../src/modules/trips/application/trip-counters.js';
import { startDelta } from '../../src/modules/trips/domain/trip-count-delta.js';
import { Database } from '../../src/platform/database/database.js';
import { sharedApp, type TestApp, type TestWorkspace } from '../support/app.js';
import { DAY, HOUR } from '../support/clock.js';
import { rowOf } from '../support/rows.js';
import { runs } from '../support/test-scope.js';

let app: TestApp;
let admin: pg.Client;
let workspace: TestWorkspace;
let scope: TenantScope;

beforeAll(async () => {
  app = await sharedApp();
  admin = new pg.Client({ connectionString: app.adminUrl });
  await admin.connect();
  workspace = await app.workspace();
  scope = { workspaceId: workspace.id, environment: 'live' };
});
afterAll(async () => {
  await admin.end();
  await app.close();
});

const service = <Type>(type: abstract new (...args: never[]) => Type): Type =>
  app.app.get<Type>(type, { strict: false });

const MINUTE = 60_000;
const BASE = Date.parse('2026-03-01T00:00:00Z');
const LENGTH = 5 * DAY;
/** The contacts of the trips and events. */
const CONTACTS = Array.from({ length: 3 }, () => uuidv7(BASE));

interface TestTrip {
  readonly id: string;
  readonly flowId: string;
  readonly contactId: string;
  readonly startedAt: Date;
  /** When its trigger was accepted. */
  readonly acceptedAt: Date;
}

/** An id for a time, independent of the ids generated before. */
const idOf = (moment: Date): string => earliestId(moment).slice(0, 19) + uuidv7(0).slice(19);

async function newFlow(): Promise<string> {
  const flow = { name: 'Flow', trigger_event: 'signed_up', content_type: 'transactional' };
  return (await workspace.call('POST', '/v1/flows', flow)).body.id as string;
}

async function insertTrips(trips: readonly TestTrip[]): Promise<void> {
  for (const trip of trips) {
    const row = await rowOf(admin, 'trips', {
      workspace_id: scope.workspaceId,
      environment: scope.environment,
      id: trip.id,
      flow_id: trip.flowId,
      contact_id: trip.contactId,
      trigger_event_id: idOf(trip.acceptedAt),
      status: 'paused',
      started_at: trip.startedAt,
      updated_at: trip.startedAt,
    });
    const places = Object.keys(row).map((_, index) => `$${index + 1}`);
    await admin.query(
      `INSERT INTO trips (${Object.keys(row).join(', ')}) VALUES (${places.join(', ')})`,
      Object.values(row),
    );
  }
  await service(Database).inScope(scope, async (tx) => {
    const deltas = trips.map((trip) =>
      startDelta({ flowId: trip.flowId, startedAt: trip.startedAt } as Parameters<typeof startDelta>[0]),
    );
    service(TripCounters).add(tx, scope, deltas);
  });
}

/** The rules of section 2.5, implemented literally. */
function converts(trip: TestTrip, event: EventOfContact, goal: Goal): boolean {
  const occurred = event.occurredAt.getTime();
  const entered = Math.min(trip.startedAt.getTime(), trip.acceptedAt.getTime());
  return (
    goal.flowId === trip.flowId &&
    goal.eventName === event.name &&
    event.contactId === trip.contactId &&
    Object.entries(goal.eventFilters).every(([key, value]) => event.attributes[key] === value) &&
    occurred >= entered &&
    occurred <= trip.startedAt.getTime() + attributionWindow(goal)
  );
}

const moment = fc
  .integer({ min: 0, max: LENGTH / MINUTE })
  .map((minutes) => new Date(BASE + minutes * MINUTE));
const contactId = fc.constantFrom(...CONTACTS);
const goalInput = fc.record({
  attributionWindowValue: fc.integer({ min: 1, max: 48 }),
  attributionWindowUnit: fc.constantFrom('hours', 'days', 'weeks'),
  eventFilters: fc.constantFrom({}, { plan: 'pro' }),
});
const situation = fc.record({
  goals: fc.tuple(goalInput, goalInput),
  trips: fc.array(
    fc.record({
      contactId,
      startedAt: moment,
      isOther: fc.boolean(),
      lag: fc.constantFrom(0, 0, MINUTE, HOUR),
    }),
    { maxLength: 12 },
  ),
  events: fc.array(
    fc.record({
      contactId,
      occurredAt: moment,
      name: fc.constantFrom('bought', 'paid'),
      plan: fc.constantFrom('pro', 'free'),
    }),
    { maxLength: 15 },
  ),
  cuts: fc.array(fc.nat(15), { maxLength: 3 }),
  periods: fc.array(fc.tuple(moment, moment, fc.nat(HOUR)), { minLength: 4, maxLength: 4 }),
});

test('whatever happens, each answer is what a model counts', async () => {
  await fc.assert(
    fc.asyncProperty(situation, async (given) => {
      const [flowId, otherFlowId] = [await newFlow(), await newFlow()];
      const goals: Goal[] = [];
      for (const [index, input] of given.goals.entries())
        goals.push(
          await service(GoalService).create(scope, flowId, {
            ...input,
            name: 'Goal',
            eventName: ['bought', 'paid'][index] ?? '',
            exitOnConversion: false,
          }),
        );
      const trips = given.trips.map(({ isOther, lag, ...trip }): TestTrip => ({
        ...trip,
        id: uuidv7(BASE),
        flowId: isOther ? otherFlowId : flowId,
        acceptedAt: new Date(trip.startedAt.getTime() - lag),
      }));
      await insertTrips(trips);
      const events = given.events.map(({ plan, ...event }): EventOfContact => ({
        ...event,
        id: uuidv7(BASE),
        attributes: { plan },
        externalId: event.contactId,
        contactReachable: true,
      }));
      // Batches of any size, split anywhere.
      const ends = [...new Set([...given.cuts, events.length])].sort((a, b) => a - b);
      for (const [index, end] of ends.entries())
        await service(Database).inScope(scope, (tx) =>
          service(Conversions).record(
            tx,
            scope,
            events.slice(ends[index - 1] ?? 0, end),
            goals,
            new Date(BASE),
          ),
        );

      const pairs = goals.flatMap((goal) =>
        events.flatMap((event) =>
          trips.filter((trip) => converts(trip, event, goal)).map((trip) => ({ goal, event, trip })),
        ),
      );
      const { rows } = await admin.query(
        `SELECT goal_id, trip_id, event_id, counts_trip, counts_event FROM goal_conversions WHERE goal_id = ANY ($1::uuid[])`,
        [goals.map(({ id }) => id)],
      );
      // Every row is a true conversion, counts each trip and each event once, and no row counts nothing.
      const keys = (some: readonly any[], key: (one: any) => string): string[] => some.map(key).sort();
      const once = (all: readonly string[]): string[] => [...new Set(all)].sort();
      const all = new Set(pairs.map(({ goal, trip, event }) => goal.id + trip.id + event.id));
      expect(rows.filter((row) => !all.has(row.goal_id + row.trip_id + row.event_id))).toEqual([]);
      expect(rows.filter((row) => !row.counts_trip && !row.counts_event)).toEqual([]);
      const ofTrips = rows.filter((row) => row.counts_trip);
      expect(keys(ofTrips, (row) => row.goal_id + row.trip_id)).toEqual(
        once(pairs.map(({ goal, trip }) => goal.id + trip.id)),
      );
      const ofEvents = rows.filter((row) => row.counts_event);
      expect(keys(ofEvents, (row) => row.goal_id + row.event_id)).toEqual(
        once(pairs.map(({ goal, event }) => goal.id + event.id)),
      );

      for (const [a, b, off] of given.periods) {
        const from = new Date(Math.min(a.getTime(), b.getTime()) + off);
        const to = new Date(Math.max(a.getTime(), b.getTime()) + off);
        const within = (date: Date): boolean => from <= date && date <= to;
        const answer = await service(GoalConversionsService).ofFlow(scope, flowId, {
          fromDate: from.toISOString(),
          toDate: to.toISOString(),
        });
        const entered = trips.filter((trip) => trip.flowId === flowId && within(trip.startedAt)).length;
        for (const { goal, ...figures } of answer.goals) {
          const own = pairs.filter((pair) => pair.goal.id === goal.id);
          const converted = own.flatMap(({ trip }) => (within(trip.startedAt) ? [trip.id] : []));
          const counted = own.flatMap(({ event }) => (within(event.occurredAt) ? [event.id] : []));
          expect(figures).toMatchObject({
            entered,
            conversions: new Set(converted).size,
            totalConversions: new Set(counted).size,
          });
          expect(figures.conversions).toBeLessThanOrEqual(figures.entered);
          // The same from the rows alone.
          const { rows: raw } = await admin.query(
            `SELECT count(DISTINCT trip_id) FILTER (WHERE entered_at BETWEEN $2 AND $3)::int AS trips,
               count(DISTINCT event_id) FILTER (WHERE occurred_at BETWEEN $2 AND $3)::int AS events
             FROM goal_conversions WHERE goal_id = $1`,
            [goal.id, from, to],
          );
          expect(raw).toEqual([{ trips: figures.conversions, events: figures.totalConversions }]);
        }
      }
    }),
    { numRuns: runs(40) },
  );
});

test('an event converts earlier trips of its contact, and not the trip that it started', async () => {
  const flowId = await newFlow();
  const contactId = uuidv7(BASE);
  const start = async (startedAt: Date): Promise<TestTrip> => {
    const trip = { id: uuidv7(BASE), flowId, contactId, startedAt, acceptedAt: startedAt };
    await insertTrips([trip]);
    return trip;
  };
  const earlier = await start(new Date(BASE));
  const later = await start(new Date(BASE + HOUR));
  const { rows: triggers } = await admin.query<{ id: string }>(
    'SELECT trigger_event_id AS id FROM trips WHERE id = $1',
    [later.id],
  );
  const goal = await service(GoalService).create(scope, flowId, {
    ...{ name: 'G', eventName: 'signed_up', eventFilters: {}, exitOnConversion: false },
    ...{ attributionWindowValue: 7, attributionWindowUnit: 'days' },
  });
  const event: EventOfContact = {
    ...{ id: triggers[0]?.id ?? '', name: 'signed_up', attributes: {}, occurredAt: later.startedAt },
    ...{ externalId: 'again', contactId, contactReachable: true },
  };
  await service(Database).inScope(scope, (tx) =>
    service(Conversions).record(tx, scope, [event], [goal], event.occurredAt),
  );
  const { rows } = await admin.query('SELECT trip_id FROM goal_conversions WHERE goal_id = $1', [goal.id]);
  expect(rows).toEqual([{ trip_id: earlier.id }]);
});

test('a contact with thousands of trips: an event converts the newest; those that are to end all do', async () => {
  const flowId = await newFlow();
  const contact = uuidv7(BASE);
  const row = await rowOf(admin, 'trips', {
    workspace_id: scope.workspaceId,
    flow_id: flowId,
    contact_id: contact,
    status: 'paused',
    started_at: new Date(BASE),
    updated_at: new Date(BASE),
  });
  const columns = Object.keys(row).filter((name) => !['id', 'trigger_event_id', 'started_at'].includes(name));
  await admin.query(
    `INSERT INTO trips (id, trigger_event_id, started_at, ${columns.join(', ')})
     SELECT gen_random_uuid(), gen_random_uuid(), $1::timestamptz + n * interval '1 second',
       ${columns.map((_, index) => `$${index + 2}`).join(', ')} FROM generate_series(1, 2500) AS n`,
    [new Date(BASE), ...columns.map((name) => row[name])],
  );
  const input = {
    name: 'G',
    eventFilters: {},
    attributionWindowValue: 7,
    attributionWindowUnit: 'days',
  } as const;
  const goals = [
    await service(GoalService).create(scope, flowId, {
      ...input,
      eventName: 'seen',
      exitOnConversion: false,
    }),
    await service(GoalService).create(scope, flowId, { ...input, eventName: 'left', exitOnConversion: true }),
  ];
  const happen = (...names: string[]): Promise<void> =>
    service(Database).inScope(scope, (tx) =>
      service(Conversions).record(
        tx,
        scope,
        names.map((name) => ({
          id: uuidv7(BASE),
          name,
          attributes: {},
          occurredAt: new Date(BASE + HOUR),
          externalId: 'many',
          contactId: contact,
          contactReachable: true,
        })),
        goals,
        new Date(BASE + HOUR),
      ),
    );
  await happen('seen');
  const { rows: newest } = await admin.query(
    'SELECT count(*)::int AS trips, min(entered_at) AS first FROM goal_conversions WHERE goal_id = $1',
    [goals[0]?.id],
  );
  expect(newest).toEqual([{ trips: 100, first: new Date(BASE + 2_401_000) }]);
  // Another event adds what it counts, but nothing for trips that have already converted.
  await happen('seen', 'seen');
  const { rows: kept } = await admin.query(
    'SELECT count(*)::int AS n FROM goal_conversions WHERE goal_id = $1',
    [goals[0]?.id],
  );
  expect(kept).toEqual([{ n: 102 }]);
  const underWay = async (): Promise<number> => {
    const { rows } = await admin.query(
      'SELECT count(*)::int AS trips FROM trips WHERE flow_id = $1 AND completed_at IS NULL',
      [flowId],
    );
    return rows[0].trips as number;
  };
  await happen('left');
  expect(await underWay()).toBe(0);
  const { body } = await workspace.call(
    'GET',
    `/v1/flows/${flowId}/goal-conversions?from_date=2026-03-01&to_date=2026-03-02`,
  );
  expect(body.goals.map((goal: any) => [goal.conversions, goal.total_conversions])).toEqual([
    [100, 3],
    [2_500, 1],
  ]);
});
