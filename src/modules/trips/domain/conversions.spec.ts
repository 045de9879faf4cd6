import fc from 'fast-check';
import { DAY, HOUR } from '../../../kernel/duration.js';
import { earliestId, uuidv7 } from '../../../kernel/uuid.js';
import type { EventOfContact } from '../../events/domain/accepted-event.js';
import { GOAL_DEFAULTS, type Goal } from '../../flows/domain/goal.js';
import { conversionDeltas, goalHits, mayConvert, sumConversionDeltas, type GoalHit } from './conversions.js';

const at = (text: string): Date => new Date(text);
const OCCURRED = at('2026-03-30T12:00:00Z');

const goal = (more: Partial<Goal> = {}): Goal => ({
  ...GOAL_DEFAULTS,
  id: 'goal',
  flowId: 'flow',
  position: 0,
  name: 'Order',
  eventName: 'order_placed',
  createdAt: OCCURRED,
  updatedAt: OCCURRED,
  ...more,
});

const event = (more: Partial<EventOfContact> = {}): EventOfContact => ({
  id: 'event',
  name: 'order_placed',
  attributes: {},
  occurredAt: OCCURRED,
  externalId: 'ada',
  contactId: 'contact',
  contactReachable: true,
  ...more,
});

describe('what an event hits', () => {
  test('goals of its name, each once, in the order of the events', () => {
    const goals = [goal(), goal({ id: 'other', flowId: 'other' }), goal({ id: 'third', eventName: 'paid' })];
    const events = [event({ id: '1' }), event({ id: '2', name: 'paid' }), event({ id: '3', name: 'seen' })];
    expect(goalHits(events, goals).map((hit) => [hit.event.id, hit.goal.id])).toEqual([
      ['1', 'goal'],
      ['1', 'other'],
      ['2', 'third'],
    ]);
    expect(goalHits([], goals)).toEqual([]);
    expect(goalHits(events, [])).toEqual([]);
  });

  test.each([
    [{}, {}, true],
    [{}, { plan: 'pro' }, true],
    [{ plan: 'pro' }, { plan: 'pro', seats: 3 }, true],
    [{ plan: 'pro' }, { plan: 'free' }, false],
    [{ plan: 'pro' }, {}, false],
    [{ plan: 'pro', seats: 3 }, { plan: 'pro' }, false],
    [{ plan: null }, {}, false],
    [{ plan: null }, { plan: null }, true],
    [{ seats: 3 }, { seats: '3' }, false],
    [{ items: [{ id: 1 }] }, { items: [{ id: 1 }] }, true],
    [{ items: [{ id: 1 }] }, { items: [{ id: 1 }, { id: 2 }] }, false],
  ])('filters %j let attributes %j pass: %p', (eventFilters, attributes, passes) => {
    expect(goalHits([event({ attributes })], [goal({ eventFilters })])).toHaveLength(passes ? 1 : 0);
  });

  test('nothing, of a contact that may not be acted upon', () => {
    expect(goalHits([event({ contactReachable: false })], [goal()])).toEqual([]);
  });
});

describe('the window', () => {
  test.each([
    [1, 'hours', '2026-03-30T11:00:00Z'],
    [36, 'hours', '2026-03-29T00:00:00Z'],
    // A day has 24 hours, even on the days of a clock change (Europe, 2026-03-29).
    [1, 'days', '2026-03-29T12:00:00Z'],
    [7, 'days', '2026-03-23T12:00:00Z'],
    [365, 'days', '2025-03-30T12:00:00Z'],
    [2, 'weeks', '2026-03-16T12:00:00Z'],
    [365, 'weeks', '2019-04-01T12:00:00Z'],
  ] as const)('of %i %s reaches back to %s', (value, unit, start) => {
    const [hit] = goalHits([event()], [goal({ attributionWindowValue: value, attributionWindowUnit: unit })]);
    expect(hit?.earliestStart).toEqual(at(start));
  });

  test('opens with the moment in which the trigger was accepted', () => {
    const [hit] = goalHits([event()], [goal()]) as [GoalHit];
    expect(uuidv7(OCCURRED.getTime()) < hit.triggerBefore).toBe(true);
    expect(uuidv7(OCCURRED.getTime() + 1) < hit.triggerBefore).toBe(false);
  });
});

describe('a trip', () => {
  const trigger = earliestId(OCCURRED);
  const later = earliestId(new Date(OCCURRED.getTime() + 1));
  test.each([
    ['that started when the window opened', '2026-03-29T12:00:00Z', 'other', true],
    ['that started before the window opened', '2026-03-29T11:59:59.999Z', 'other', false],
    ['that started as the event occurred', '2026-03-30T12:00:00Z', later, true],
    ['whose trigger was accepted before the event', '2026-03-30T12:00:01Z', trigger, true],
    ['whose trigger was accepted after the event', '2026-03-30T12:00:01Z', later, false],
    ['that the event itself started', '2026-03-30T12:00:00Z', 'event', false],
  ])('%s: %s', (_, startedAt, triggerEventId, converts) => {
    const [hit] = goalHits([event()], [goal({ attributionWindowValue: 1 })]) as [GoalHit];
    expect(mayConvert(hit, { startedAt: at(startedAt), triggerEventId })).toBe(converts);
  });
});

test.each([
  [true, true],
  [true, false],
  [false, true],
  [false, false],
])(
  'a conversion counts its trip (%p) when it started, its event (%p) when it occurred',
  (countsTrip, countsEvent) => {
    const moments = { enteredAt: at('2026-03-29T10:59:59Z'), occurredAt: at('2026-03-30T12:30:00Z') };
    const ids = { tripId: 'trip', goalId: 'goal', eventId: 'event' };
    const counted = { goalId: 'goal', trips: 0, events: 0 };
    expect(conversionDeltas({ ...ids, ...moments, countsTrip, countsEvent })).toEqual([
      ...(countsTrip ? [{ ...counted, hour: at('2026-03-29T10:00:00Z'), trips: 1 }] : []),
      ...(countsEvent ? [{ ...counted, hour: at('2026-03-30T12:00:00Z'), events: 1 }] : []),
    ]);
  },
);

test('changes of one goal and hour are one, whatever their order', () => {
  const hour = (index: number): Date => new Date(index * HOUR);
  const change = (goalId: string, index: number, trips: number, events: number) => ({
    goalId,
    hour: hour(index),
    trips,
    events,
  });
  expect(
    sumConversionDeltas([
      change('b', 1, 1, 0),
      change('a', 2, 1, 1),
      change('b', 1, 2, 5),
      change('a', 1, 0, 1),
    ]),
  ).toEqual([change('a', 1, 0, 1), change('a', 2, 1, 1), change('b', 1, 3, 5)]);
});

test('a window is as long wherever the year stands', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 365 }), fc.nat(DAY * 3_650), (value, offset) => {
      const occurredAt = new Date(OCCURRED.getTime() + offset);
      const [hit] = goalHits([event({ occurredAt })], [goal({ attributionWindowValue: value })]);
      expect(occurredAt.getTime() - (hit?.earliestStart.getTime() ?? 0)).toBe(value * DAY);
    }),
  );
});
