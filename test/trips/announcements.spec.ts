/** What the engine announces: trips that are over, whatever ended them, and messages that were called off. */
import { jest } from '@jest/globals';
import { SettledMessagesListener } from '../../src/modules/delivery/application/settled-messages.listener.js';
import { EndedTripsListener } from '../../src/modules/trips/application/ended-trips.listener.js';
import type { Listener } from '../../src/platform/database/listener.js';
import { bootApp, type TestApp, type TestWorkspace } from '../support/app.js';
import { DAY } from '../support/clock.js';
import { until } from '../support/until.js';

let app: TestApp;

beforeAll(async () => {
  // Without the queue of sends: messages stay queued.
  app = await bootApp({ queues: ['events', 'trips'] });
});
afterAll(() => app.close());

/** What a port was told, one item after the other. The product's own listeners hear it too. */
function heardBy<Item>(port: abstract new (...args: never[]) => Listener<Item>): () => Item[] {
  const hear = jest.spyOn(app.app.get<Listener<Item>>(port), 'hear');
  return () => hear.mock.calls.flatMap(([, , batch]) => batch);
}

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
  const ended = heardBy(EndedTripsListener);
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
  const ended = heardBy(EndedTripsListener);
  const settled = heardBy(SettledMessagesListener);
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
      status: 'cancelled',
      at: app.clock.now(),
    },
  ]);
});
