/**
 * The engine's domain events: trips that end, for any reason, or become active again; conversions; and messages
 * that are called off.
 */
import pg from 'pg';
import { SettledMessagesListener } from '../../src/modules/delivery/application/settled-messages.listener.js';
import { ConversionCounters } from '../../src/modules/trips/application/goal-counters.js';
import { TripCounters } from '../../src/modules/trips/application/trip-counters.js';
import type { EndedTrip } from '../../src/modules/trips/domain/trip.js';
import { TripMoves } from '../../src/modules/trips/application/trip-moves.js';
import { bootApp, type TestApp, type TestWorkspace } from '../support/app.js';
import { DAY } from '../support/clock.js';
import { until } from '../support/until.js';

let app: TestApp;

beforeAll(async () => {
  // Without the sending queue, messages stay queued.
  app = await bootApp({ queues: ['events', 'trips'] });
});
afterAll(() => app.close());

/** All items that a spied method received. The method still runs. */
function itemsOf<Item>({
  mock,
}: {
  readonly mock: { readonly calls: readonly (readonly [unknown, unknown, readonly Item[], ...unknown[]])[] };
}): () => Item[] {
  return () => mock.calls.flatMap(([, , batch]) => batch);
}

const endedTrips = (): (() => EndedTrip[]) => itemsOf(jest.spyOn(app.app.get(TripCounters), 'countEnded'));

async function startTrip(steps: object[]): Promise<{ workspace: TestWorkspace; flowId: string; trip: any }> {
  const workspace = await app.workspace();
  await workspace.call('POST', '/v1/templates', {
    name: 'Welcome',
    slug: 'welcome',
    subject: 'Hi',
    body_html: '<p>Hi</p>',
  });
  const flow = { name: 'Flow', trigger_event: 'signed_up', content_type: 'transactional', steps };
  const { body } = await workspace.call('POST', '/v1/flows', flow);
  expect((await workspace.call('POST', `/v1/flows/${body.id}/activate`)).status).toBe(200);
  await workspace.call('POST', '/v1/events', { external_id: 'ada', event_name: 'signed_up' });
  let trip: any;
  await until('the trip has started', async () => {
    [trip] = (await workspace.call('GET', `/v1/flows/${body.id}/trips`)).body.trips;
    return trip !== undefined;
  });
  return { workspace, flowId: body.id, trip };
}

test('a trip that ends with its first steps, and one that ends after a wait', async () => {
  const ended = endedTrips();
  const atOnce = await startTrip([{ type: 'update_contact', set: { plan: 'pro' } }]);
  expect(ended()).toMatchObject([
    {
      id: atOnce.trip.id,
      flowId: atOnce.flowId,
      flowVersion: 1,
      contactId: atOnce.trip.contact_id,
      triggerEventId: expect.any(String),
      startedAt: app.clock.now(),
      status: 'completed',
      completedAt: app.clock.now(),
      endedReason: 'finished',
    },
  ]);
  const later = await startTrip([{ type: 'wait', duration: '1d' }]);
  expect(ended()).toHaveLength(1);
  app.clock.wind(DAY);
  await until('the second trip has ended', () => ended().length === 2);
  expect(ended()[1]).toMatchObject({
    id: later.trip.id,
    flowVersion: 1,
    triggerEventId: expect.any(String),
    startedAt: new Date(later.trip.started_at),
    status: 'completed',
  });
  expect(ended()[1]?.startedAt.getTime()).toBeLessThan(app.clock.now().getTime());
});

test('trips of a stopped flow, and their messages that are called off', async () => {
  const ended = endedTrips();
  const settled = itemsOf(
    jest.spyOn(app.app.get<SettledMessagesListener>(SettledMessagesListener), 'handle'),
  );
  const { workspace, flowId, trip } = await startTrip([{ type: 'send_email', template_slug: 'welcome' }]);
  const before = ended().length;
  expect((await workspace.call('POST', `/v1/flows/${flowId}/stop`)).status).toBe(200);
  expect(ended().slice(before)).toEqual([
    {
      id: trip.id,
      flowId,
      flowVersion: 1,
      contactId: trip.contact_id,
      triggerEventId: expect.any(String),
      lastStep: 1,
      startedAt: new Date(trip.started_at),
      status: 'terminated',
      completedAt: app.clock.now(),
      endedReason: 'flow_stopped',
    },
  ]);
  expect(settled()).toEqual([
    {
      id: expect.any(String),
      contactId: trip.contact_id,
      origin: 'trip',
      originId: trip.id,
      originStep: 1,
      sourceId: flowId,
      contentType: 'transactional',
      before: 'queued',
      // It was not claimed yet, so it was not charged to any month.
      chargedAt: null,
      status: 'cancelled',
      tracked: 0,
      at: app.clock.now(),
    },
  ]);
});

test('a trip that a person takes up again, as it had ended; one that was set aside was never over', async () => {
  const ended = endedTrips();
  const revived = itemsOf(jest.spyOn(app.app.get(TripCounters), 'countRevived'));
  const before = ended().length;
  const { workspace, flowId, trip } = await startTrip([
    { type: 'wait', duration: '1d' },
    { type: 'update_contact', set: { plan: 'pro' } },
  ]);
  const admin = new pg.Client({ connectionString: app.adminUrl });
  await admin.connect();
  const moves = app.app.get(TripMoves, { strict: false });
  const retry = (): Promise<{ readonly moved: number }> =>
    moves.ofIds({ workspaceId: workspace.id, environment: 'live' }, 'retry_step', [trip.id], 'a test');
  try {
    await admin.query('UPDATE trips SET resume_at = NULL WHERE id = $1', [trip.id]);
    expect(await retry()).toMatchObject({ moved: 1 });
    expect(revived()).toEqual([]);
    await until('the trip has ended', () => ended().length === before + 1);

    await admin.query(`UPDATE trips SET status = 'failed', ended_reason = 'invalid_step' WHERE id = $1`, [
      trip.id,
    ]);
    expect(await retry()).toMatchObject({ moved: 1 });
    expect(revived()).toEqual([
      expect.objectContaining({
        id: trip.id,
        flowId,
        flowVersion: 1,
        contactId: trip.contact_id,
        triggerEventId: expect.any(String),
        startedAt: new Date(trip.started_at),
        status: 'failed',
        completedAt: app.clock.now(),
        endedReason: 'invalid_step',
      }),
    ]);
    await until('the trip has ended again', () => ended().length === before + 2);
  } finally {
    await admin.end();
  }
});

test('conversions: each trip and each event once a goal, before the trip ends by it', async () => {
  const recorded = itemsOf(jest.spyOn(app.app.get(ConversionCounters), 'count'));
  const ended = endedTrips();
  const before = ended().length;
  const { workspace, flowId, trip } = await startTrip([{ type: 'wait', duration: '1d' }]);
  const goal = async (name: string, exit: boolean): Promise<string> => {
    const input = { name, event_name: name, exit_on_conversion: exit };
    return (await workspace.call('POST', `/v1/flows/${flowId}/goals`, input)).body.id as string;
  };
  const [seen, left] = [await goal('seen', false), await goal('left', true)];
  app.clock.wind(1_000);
  for (const name of ['seen', 'seen', 'left'])
    await workspace.call('POST', '/v1/events', { external_id: 'ada', event_name: name });
  await until('the trip has ended', () => ended().length === before + 1);
  const common = {
    tripId: trip.id,
    eventId: expect.any(String),
    enteredAt: new Date(trip.started_at),
    occurredAt: app.clock.now(),
    countsEvent: true,
  };
  expect(recorded()).toEqual([
    { ...common, goalId: seen, countsTrip: true },
    { ...common, goalId: seen, countsTrip: false },
    { ...common, goalId: left, countsTrip: true },
  ]);
});
