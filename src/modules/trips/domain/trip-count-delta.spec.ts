import fc from 'fast-check';
import { HOUR } from '../../../kernel/duration.js';
import {
  wholeHoursOf,
  sumTripDeltas,
  deltasByFlow,
  endDelta,
  revivalDeltas,
  startDelta,
} from './trip-count-delta.js';
import type { EndedTrip } from './trip.js';

const at = (text: string): Date => new Date(`2026-03-02T${text}Z`);

function trip(flowId: string, status: EndedTrip['status'], ended: string): EndedTrip {
  return {
    id: 'id',
    flowId,
    flowVersion: 1,
    contactId: 'c',
    triggerEventId: 'e',
    lastStep: 0,
    startedAt: at('09:59:59.999'),
    status,
    completedAt: at(ended),
    endedReason: null,
  };
}

test('starts count in the hour of the start, ends in that of the end, in the order of flows and hours', () => {
  const trips = [
    trip('b', 'completed', '10:00:00'),
    trip('a', 'failed', '12:30:00'),
    trip('a', 'completed', '09:59:59.999'),
    trip('a', 'completed', '10:59:59.999'),
  ];
  const changes = [...trips.map(startDelta), ...trips.map(endDelta)];
  const none = { started: 0, completed: 0, terminated: 0, failed: 0 };
  expect(sumTripDeltas(changes)).toEqual([
    { ...none, flowId: 'a', hour: at('09:00:00'), started: 3, completed: 1 },
    { ...none, flowId: 'a', hour: at('10:00:00'), completed: 1 },
    { ...none, flowId: 'a', hour: at('12:00:00'), failed: 1 },
    { ...none, flowId: 'b', hour: at('09:00:00'), started: 1 },
    { ...none, flowId: 'b', hour: at('10:00:00'), completed: 1 },
  ]);
  expect(deltasByFlow(changes)).toMatchObject([
    { flowId: 'a', started: 3, completed: 2, terminated: 0, failed: 1 },
    { flowId: 'b', started: 1, completed: 1, terminated: 0, failed: 0 },
  ]);
});

test('a trip that somebody ended is terminated', () => {
  expect(endDelta(trip('a', 'terminated', '10:00:00'))).toMatchObject({ terminated: 1, completed: 0 });
});

test('every moment of a period is in exactly one part, and whole hours begin and end at hours', () => {
  const base = at('00:00:00').getTime();
  const moment = fc.integer({ min: base, max: base + 3 * HOUR });
  fc.assert(
    fc.property(fc.tuple(moment, moment), moment, ([a, b], seen) => {
      const [from, to] = [Math.min(a, b), Math.max(a, b)];
      const { hours, rest } = wholeHoursOf({ from: new Date(from), to: new Date(to) });
      const times = [hours, ...rest].filter(
        (span) => span.from.getTime() <= seen && seen < span.until.getTime(),
      ).length;
      expect(times).toBe(from <= seen && seen <= to ? 1 : 0);
      if (hours.from < hours.until)
        for (const end of [hours.from, hours.until]) expect(end.getTime() % HOUR).toBe(0);
    }),
  );
});

test('a trip that is under way again takes its end back, in the hour of the end', () => {
  const failed = trip('a', 'failed', '12:30:00');
  const { completed, terminated, failed: count, ...rest } = endDelta(failed);
  expect([completed, terminated, count]).toEqual([0, 0, 1]);
  const [back] = revivalDeltas(failed);
  expect(back).toMatchObject({ ...rest, failed: -1 });
  expect(revivalDeltas({ ...failed, status: 'paused', completedAt: null })).toEqual([]);
});
