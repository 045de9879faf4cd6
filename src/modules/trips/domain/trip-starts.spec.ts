import type { Flow, FlowSettings } from '../../flows/domain/flow.js';
import { allowsOneTripInFlight, NO_EARLIER_TRIPS, reentryRefusal, type EarlierTrips } from './reentry.js';
import { earlierTripsKey, startRefusal, tripStarts, type TriggerEvent } from './trip-starts.js';

const NOW = new Date('2026-03-02T09:00:00.000Z');
const DAY = 24 * 3_600_000;
const settings = (policy: FlowSettings['reentryPolicy'], days: number | null = null): FlowSettings => ({
  reentryPolicy: policy,
  reentryCooldownDays: days,
  throttleEnabled: false,
  throttleLimit: null,
  throttlePeriod: null,
});
const flow = (id: string, more: Partial<Flow> = {}): Flow => ({
  id,
  name: id,
  description: '',
  triggerEvent: 'signed_up',
  triggerConditions: {},
  segmentId: null,
  steps: [],
  lastStepId: 0,
  contentType: 'transactional',
  status: 'active',
  version: 1,
  tags: [],
  settings: settings('never'),
  createdBy: 'x',
  createdAt: NOW,
  updatedAt: NOW,
  ...more,
});
const event = (id: string, more: Partial<TriggerEvent> = {}): TriggerEvent => ({
  id,
  name: 'signed_up',
  attributes: {},
  contactId: 'c1',
  contactReachable: true,
  ...more,
});
const pairs = (starts: ReturnType<typeof tripStarts>): string[] =>
  starts.map((s) => `${s.event.id}>${s.flow.id}`);
const everybody = (): boolean => true;
const ago = (days: number): Date => new Date(NOW.getTime() - days * DAY);

describe('reentryRefusal', () => {
  const over: EarlierTrips = { count: 1, inFlight: 0, latestStart: ago(3) };
  const going: EarlierTrips = { count: 1, inFlight: 1, latestStart: ago(3) };
  test.each<[FlowSettings['reentryPolicy'], number | null, EarlierTrips, boolean]>([
    ['never', null, NO_EARLIER_TRIPS, true],
    ['never', null, over, false],
    ['never', null, going, false],
    ['after_completion', null, NO_EARLIER_TRIPS, true],
    ['after_completion', null, over, true],
    ['after_completion', null, going, false],
    ['always', null, NO_EARLIER_TRIPS, true],
    ['always', null, going, true],
    ['cooldown', 3, NO_EARLIER_TRIPS, true],
    ['cooldown', 3, over, true],
    ['cooldown', 3, going, true],
    ['cooldown', 4, over, false],
  ])('%s (%s days) after %j: %s', (policy, days, earlier, holds) => {
    expect(reentryRefusal(settings(policy, days), earlier, NOW)).toBe(holds ? null : `reentry_${policy}`);
  });
});

test.each([
  ['never', true],
  ['after_completion', true],
  ['cooldown', false],
  ['always', false],
] as const)('%s keeps a contact’s trips apart: %p', (policy, isApart) => {
  expect(allowsOneTripInFlight(settings(policy, 1))).toBe(isApart);
});

test.each([
  [flow('f1'), event('e1'), null],
  [flow('f1'), event('e1', { contactReachable: false }), 'contact_unreachable'],
  [flow('f1', { triggerConditions: { plan: 'pro' } }), event('e1'), 'conditions_do_not_match'],
  [flow('f1', { segmentId: 's1' }), event('e1'), 'not_in_segment'],
])('why an event starts nothing is said: %#', (listening, trigger, refusal) => {
  expect(startRefusal(listening, trigger, NO_EARLIER_TRIPS, () => false, NOW)).toBe(refusal);
});

describe('tripStarts', () => {
  test('every flow that listens to the name starts a trip', () => {
    const flows = [flow('f1'), flow('f2'), flow('f3', { triggerEvent: 'other' })];
    expect(pairs(tripStarts([event('e1')], flows, new Map(), everybody, NOW))).toEqual(['e1>f1', 'e1>f2']);
  });

  test('conditions must match every attribute, nested ones too', () => {
    const flows = [flow('f1', { triggerConditions: { plan: 'pro', tier: { level: 2 } } })];
    const attributes = { plan: 'pro', tier: { level: 2 }, more: 1 };
    expect(pairs(tripStarts([event('e1', { attributes })], flows, new Map(), everybody, NOW))).toEqual([
      'e1>f1',
    ]);
    expect(
      tripStarts([event('e1', { attributes: { plan: 'pro' } })], flows, new Map(), everybody, NOW),
    ).toEqual([]);
    expect(
      tripStarts([event('e1', { attributes: { ...attributes, plan: 1 } })], flows, new Map(), everybody, NOW),
    ).toEqual([]);
  });

  test('a contact that is deleted starts nothing', () => {
    expect(
      tripStarts([event('e1', { contactReachable: false })], [flow('f1')], new Map(), everybody, NOW),
    ).toEqual([]);
  });

  test('a trip that is started here counts as history for the events behind it', () => {
    const events = [event('e1'), event('e2'), event('e3', { contactId: 'c2' })];
    expect(pairs(tripStarts(events, [flow('f1')], new Map(), everybody, NOW))).toEqual(['e1>f1', 'e3>f1']);
    const always = [flow('f1', { settings: settings('always') })];
    expect(pairs(tripStarts(events, always, new Map(), everybody, NOW))).toEqual(['e1>f1', 'e2>f1', 'e3>f1']);
    const cooling = [flow('f1', { settings: settings('cooldown', 1) })];
    expect(pairs(tripStarts(events, cooling, new Map(), everybody, NOW))).toEqual(['e1>f1', 'e3>f1']);
    const after = [flow('f1', { settings: settings('after_completion') })];
    expect(pairs(tripStarts(events, after, new Map(), everybody, NOW))).toEqual(['e1>f1', 'e3>f1']);
  });

  test('history is looked up by flow and contact', () => {
    const history = new Map([[earlierTripsKey('f1', 'c1'), { count: 1, inFlight: 0, latestStart: ago(1) }]]);
    const events = [event('e1'), event('e2', { contactId: 'c2' })];
    expect(pairs(tripStarts(events, [flow('f1'), flow('f2')], history, everybody, NOW))).toEqual([
      'e1>f2',
      'e2>f1',
      'e2>f2',
    ]);
  });

  test('a flow with a segment starts for its members alone', () => {
    const flows = [flow('f1', { segmentId: 's1' }), flow('f2')];
    const events = [event('e1'), event('e2', { contactId: 'c2' })];
    const isAdmitted = (segmentId: string, contactId: string): boolean =>
      segmentId === 's1' && contactId === 'c2';
    expect(pairs(tripStarts(events, flows, new Map(), isAdmitted, NOW))).toEqual(['e1>f2', 'e2>f1', 'e2>f2']);
  });
});
