/** Simulates small flows. Tests in test/trips check that a simulation agrees with the engine. */
import { HOUR } from '../../../../kernel/duration.js';
import { newContact, type Contact } from '../../../contacts/domain/contact.js';
import type { SendSimulationInputs } from '../../../delivery/domain/send-simulation.js';
import type { FlowSettings } from '../../../flows/domain/flow.js';
import { assignStepIds } from '../../../flows/domain/step-identity.js';
import type { NewStep } from '../../../flows/domain/step.js';
import { NO_PREFERENCES } from '../../../preferences/domain/preferences.js';
import { flowNeeds } from './flow-needs.js';
import { NO_TRIPS_BEFORE, type PastEvent, type SimulatedFlow, type TripsBefore } from './simulation-model.js';
import { reportOf, type SimulationReport } from './simulation-report.js';
import { Simulation } from './simulation.js';

const FROM = new Date('2026-03-02T00:00:00.000Z');
const at = (hours: number): Date => new Date(FROM.getTime() + hours * HOUR);
const SETTINGS: FlowSettings = {
  reentryPolicy: 'always',
  reentryCooldownDays: null,
  throttleEnabled: false,
  throttleLimit: null,
  throttlePeriod: null,
};
const SENDING: SendSimulationInputs = {
  environment: 'test',
  contentType: 'transactional',
  workspace: {
    name: 'Acme',
    status: 'active',
    liveAt: null,
    company: {},
    sender: { fromEmail: 'hello@acme.test' },
    settings: {},
  },
  templates: new Map([['hello', { isActive: true, hasErrors: false, unresolvedPlaceholder: false }]]),
  topics: new Map(),
  throttle: null,
  domains: { shared: 'mail.test', own: () => undefined },
};
const SEND: NewStep = { type: 'send_email', templateSlug: 'hello' };
const WAIT: NewStep = { type: 'wait', duration: '1d' };

function flowOf(steps: readonly NewStep[], more: Partial<SimulatedFlow> = {}): SimulatedFlow {
  return {
    id: '0190a5d2-7c3e-7b61-9a3e-4f5f0c0ff100',
    version: 1,
    triggerEvent: 'signed_up',
    triggerConditions: {},
    segmentId: null,
    settings: SETTINGS,
    steps: assignStepIds(steps),
    goals: [],
    ...more,
  };
}

let serial = 0;
function event(hours: number, more: Partial<PastEvent> = {}): PastEvent {
  const id = `0190a5d2-7c3e-7b61-9a3e-${String(++serial).padStart(12, '0')}`;
  return {
    id,
    name: 'signed_up',
    externalId: 'ada',
    acceptedAt: at(hours),
    occurredAt: at(hours),
    attributes: {},
    contact: null,
    ...more,
  };
}

interface World {
  readonly sending?: Partial<SendSimulationInputs>;
  readonly contact?: Partial<Contact>;
  readonly before?: TripsBefore;
  readonly segmentIds?: ReadonlySet<string>;
  readonly hours?: number;
}

function simulated(flow: SimulatedFlow, events: readonly PastEvent[], world: World = {}): SimulationReport {
  const { sending, contact, before = NO_TRIPS_BEFORE, segmentIds = new Set(), hours = 72 } = world;
  const simulation = new Simulation(flow, flowNeeds(flow), { ...SENDING, ...sending });
  for (const externalId of new Set(events.map((one) => one.externalId)))
    simulation.addContact({
      contact: { ...newContact(`id of ${externalId}`, externalId, FROM), email: 'a@b.test', ...contact },
      hasOptedOut: false,
      suppressedFor: null,
      preferences: NO_PREFERENCES,
      segmentIds,
      before,
      latestEvents: new Map(),
    });
  for (const _ of simulation.processEvents(events));
  for (const _ of simulation.finish(at(hours)));
  simulation.close();
  return reportOf(simulation, { from: FROM, to: at(hours), until: at(hours) }, []);
}

test('trips, sends and waits by day and step', () => {
  const report = simulated(flowOf([SEND, WAIT, SEND]), [event(1), event(30), event(70)]);
  expect(report).toMatchObject({
    events: { read: 3, seen: 3, matched: 3, leftOut: [] },
    trips: { started: 3, completed: 2, terminated: 0, failed: 0, waiting: 1, heldBack: 0 },
    tripsByDay: [
      { day: '2026-03-02', started: 1, completed: 0, endedEarly: 0, inFlight: 1 },
      { day: '2026-03-03', started: 1, completed: 1, endedEarly: 0, inFlight: 1 },
      { day: '2026-03-04', started: 1, completed: 1, endedEarly: 0, inFlight: 1 },
    ],
    waits: [
      {
        stepId: 2,
        path: 'steps[1]',
        trips: 3,
        stillWaiting: 1,
        longestSeconds: 86_400,
        medianSeconds: 86_400,
      },
    ],
  });
  expect(report.sendsByStepAndDay).toEqual([
    { stepId: 1, path: 'steps[0]', day: '2026-03-02', sent: 1, suppressed: 0, failed: 0 },
    { stepId: 1, path: 'steps[0]', day: '2026-03-03', sent: 1, suppressed: 0, failed: 0 },
    { stepId: 1, path: 'steps[0]', day: '2026-03-04', sent: 1, suppressed: 0, failed: 0 },
    { stepId: 3, path: 'steps[2]', day: '2026-03-03', sent: 1, suppressed: 0, failed: 0 },
    { stepId: 3, path: 'steps[2]', day: '2026-03-04', sent: 1, suppressed: 0, failed: 0 },
  ]);
  expect(report.sampled.map(({ path, at: moment }) => [path, moment])).toEqual([
    ['steps[0]', at(1)],
    ['steps[2]', at(25)],
    ['steps[0]', at(30)],
    ['steps[2]', at(54)],
    ['steps[0]', at(70)],
  ]);
});

test.each([
  [
    'conditions',
    flowOf([], { triggerConditions: { plan: 'pro' } }),
    [event(1), event(2, { attributes: { plan: 'pro' } })],
    {},
    { matched: 1, leftOut: [{ reason: 'conditions_do_not_match', events: 1 }] },
  ],
  [
    're-entry within the period',
    flowOf([], { settings: { ...SETTINGS, reentryPolicy: 'never' } }),
    [event(1), event(2)],
    {},
    { matched: 2, leftOut: [{ reason: 'reentry_never', events: 1 }] },
  ],
  [
    're-entry behind a trip before the period that went on into it',
    flowOf([], { settings: { ...SETTINGS, reentryPolicy: 'after_completion' } }),
    [event(1), event(3)],
    { before: { count: 1, latestStart: at(-5), endings: [at(2)] } },
    { matched: 2, leftOut: [{ reason: 'reentry_after_completion', events: 1 }] },
  ],
  [
    're-entry within the cooldown of a trip before the period',
    flowOf([], { settings: { ...SETTINGS, reentryPolicy: 'cooldown', reentryCooldownDays: 1 } }),
    [event(1), event(20)],
    { before: { count: 1, latestStart: at(-5), endings: [] } },
    { matched: 2, leftOut: [{ reason: 'reentry_cooldown', events: 1 }] },
  ],
  [
    'a deleted contact, who comes back with what an event says of her',
    flowOf([]),
    [event(1), event(2, { contact: { firstName: 'Ada' } })],
    { contact: { subscriptionStatus: 'deleted' as const } },
    { matched: 2, leftOut: [{ reason: 'contact_unreachable', events: 1 }] },
  ],
  [
    'a segment',
    flowOf([], { segmentId: 'S' }),
    [event(1)],
    { segmentIds: new Set(['other']) },
    { matched: 1, leftOut: [{ reason: 'not_in_segment', events: 1 }] },
  ],
])('events that start nothing: %s', (_, flow, events, world, figures) => {
  expect(simulated(flow, events, world).events).toMatchObject(figures);
});

test('branches see what events and steps before have made of the contact, and the latest events', () => {
  const flow = flowOf([
    { type: 'update_contact', set: { stage: 'warm' } },
    {
      type: 'conditional_split',
      branches: [
        { check: { source: 'latest_event', eventName: 'bought', exists: true, within: '2h' }, steps: [SEND] },
        {
          check: { source: 'contact', field: 'properties.stage', operator: 'equals', value: 'warm' },
          steps: [SEND],
        },
      ],
    },
  ]);
  const bought = event(10, { name: 'bought' });
  const report = simulated(flow, [event(1), bought, event(11), event(13)]);
  expect(report.branches).toEqual([
    { stepId: 2, path: 'steps[1]', way: '0', name: 'has bought within 2h', trips: 1 },
    { stepId: 2, path: 'steps[1]', way: '1', name: 'contact properties.stage equals warm', trips: 2 },
    { stepId: 2, path: 'steps[1]', way: 'none', name: 'others', trips: 0 },
  ]);
  expect(report.events).toMatchObject({ read: 4, seen: 3 });
});

test('splits are drawn alike in every run', () => {
  const flow = flowOf([
    {
      type: 'ab_split',
      variants: [
        { name: 'A', percentage: 50 },
        { name: 'B', percentage: 50 },
      ],
    },
  ]);
  const events = Array.from({ length: 400 }, (_, index) => event(index / 10));
  const { branches } = simulated(flow, events);
  expect(branches).toEqual(simulated(flow, events).branches);
  for (const { trips } of branches) expect(trips).toBeGreaterThan(140);
});

test('what is withheld, and what is held back and how long', () => {
  const window = { sendWindowEnabled: true, sendWindowStart: '09:00', sendWindowEnd: '10:00' };
  const flow = flowOf([
    { ...SEND, emailSendSettings: window },
    { type: 'send_email', templateSlug: 'gone' },
  ]);
  const report = simulated(flow, [event(1), event(5), event(34.5)], { hours: 35 });
  expect(report.delays).toEqual([
    {
      stepId: 1,
      path: 'steps[0]',
      gate: 'send_window',
      messages: 3,
      stillHeld: 1,
      longestSeconds: 8 * 3_600,
      medianSeconds: 4 * 3_600,
    },
  ]);
  expect(report.unsent).toEqual([
    { stepId: 2, path: 'steps[1]', kind: 'failed', reason: 'template_not_found', messages: 2 },
  ]);
  expect(report.trips).toMatchObject({ completed: 2, heldBack: 1 });
});

test('a throttled flow sends in the order in which messages were asked for', () => {
  const flow = flowOf([SEND]);
  const events = [event(1), event(1.1), event(1.2), event(1.3)];
  const report = simulated(flow, events, { sending: { throttle: { limit: 1, period: 'day' } }, hours: 60 });
  expect(report.delays).toMatchObject([
    { gate: 'throttle', messages: 3, stillHeld: 1, longestSeconds: (48 - 0.2) * 3_600 },
  ]);
  expect(report.trips).toMatchObject({ started: 4, completed: 3, heldBack: 1 });
});

test('messages that are due at the same moment go before those that follow from them', () => {
  const window = { sendWindowEnabled: true, sendWindowStart: '09:00', sendWindowEnd: '08:00' };
  const flow = flowOf([{ ...SEND, emailSendSettings: window }, SEND]);
  const report = simulated(flow, [event(8.1), event(8.2)], {
    sending: { throttle: { limit: 2, period: 'hour' } },
    hours: 9.5,
  });
  expect(report.sendsByStepAndDay).toMatchObject([{ stepId: 1, sent: 2 }]);
  expect(report.delays).toMatchObject([
    { stepId: 1, gate: 'send_window', messages: 2, stillHeld: 0 },
    { stepId: 2, gate: 'throttle', messages: 2, stillHeld: 2 },
  ]);
});

test('a conversion ends the trip, and takes its message out of the line', () => {
  const goal = {
    id: 'g',
    name: 'Bought',
    eventName: 'bought',
    eventFilters: { size: 'large' },
    attributionWindowValue: 2,
    attributionWindowUnit: 'days' as const,
    exitOnConversion: true,
    flowId: 'f',
    position: 0,
    createdAt: FROM,
    updatedAt: FROM,
  };
  const flow = flowOf([SEND, WAIT], { goals: [goal] });
  const bought = (hours: number, size: string): PastEvent =>
    event(hours, { name: 'bought', attributes: { size } });
  const events = [event(1), event(2), bought(3, 'small'), bought(4, 'large'), bought(60, 'large'), event(65)];
  const report = simulated(flow, events, { sending: { throttle: { limit: 1, period: 'day' } } });
  expect(report.goals).toEqual([
    { goalId: 'g', name: 'Bought', eventName: 'bought', conversions: 2, totalConversions: 1, exits: 2 },
  ]);
  expect(report.trips).toMatchObject({ started: 3, completed: 0, terminated: 2, waiting: 1 });
  expect(report.delays).toMatchObject([{ messages: 1, stillHeld: 0, longestSeconds: 2 * 3_600 }]);
  expect(report.tripsByDay.at(-1)).toMatchObject({ inFlight: 1 });
});
