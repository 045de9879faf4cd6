import { FLOW_STATUSES, type FlowStatus } from '../../flows/domain/flow.js';
import {
  conflictingTrips,
  endRefusal,
  hasMovedOn,
  retryActionOf,
  skipRefusal,
  type MovableTrip,
  type MoveRefusal,
} from './trip-move.js';
import { TRIP_STATUSES, type TripStatus } from './trip-transitions.js';

const NOW = new Date('2026-03-02T09:00:00Z');
const LATER = new Date('2026-03-03T09:00:00Z');

const trip = (status: TripStatus, resumeAt: Date | null = null): MovableTrip => ({
  id: 'trip 1',
  flowId: 'flow 1',
  status,
  lastStep: 3,
  resumeAt,
  completedAt: null,
  startedAt: NOW,
  contactId: 'contact 1',
  flowVersion: 1,
  triggerEventId: 'event 1',
  endedReason: null,
});

test.each<[TripStatus, Date | null, MoveRefusal | undefined]>([
  ['paused', LATER, undefined],
  ['paused', NOW, 'due_already'],
  ['paused', null, 'set_aside'],
  ['active', NOW, 'not_waiting'],
  ['awaiting_send', null, 'not_waiting'],
  ['completed', null, 'over'],
  ['terminated', null, 'over'],
  ['failed', null, 'over'],
])('the wait of a trip that is %s, due at %s: %s', (status, resumeAt, refusal) => {
  expect(skipRefusal(trip(status, resumeAt), 'active', NOW)).toBe(refusal);
});

test.each([...FLOW_STATUSES, undefined])('the wait of a trip of a flow that is %s', (status) => {
  const goesOn = status === 'active' || status === 'paused';
  expect(skipRefusal(trip('paused', LATER), status, NOW)).toBe(goesOn ? undefined : 'flow_not_running');
});

test.each(TRIP_STATUSES)('a trip that is %s is ended only while it is under way', (status) => {
  const isOver = status === 'completed' || status === 'terminated' || status === 'failed';
  expect(endRefusal(trip(status))).toBe(isOver ? 'over' : undefined);
});

test.each<[TripStatus, Date | null, string]>([
  ['failed', null, 'revive'],
  ['active', null, 'put_back'],
  ['paused', null, 'put_back'],
  ['paused', LATER, 'message'],
  ['active', NOW, 'message'],
  ['awaiting_send', null, 'message'],
  ['completed', null, 'message'],
  ['terminated', null, 'refuse'],
])('to retry a trip that is %s, due at %s, is to %s', (status, resumeAt, kind) => {
  expect(retryActionOf(trip(status, resumeAt), 'active')).toEqual({
    kind,
    ...(kind === 'refuse' ? { code: 'over' } : {}),
  });
});

test.each<FlowStatus | undefined>([...FLOW_STATUSES, undefined])(
  'nothing is retried of a flow that is %s',
  (status) => {
    const mayRun = status === 'active' || status === 'paused';
    expect(retryActionOf(trip('failed'), status)).toEqual(
      mayRun ? { kind: 'revive' } : { kind: 'refuse', code: 'flow_not_running' },
    );
  },
);

test('a trip has moved on when it stands elsewhere, or otherwise', () => {
  expect(hasMovedOn(trip('paused', LATER), trip('paused', NOW))).toBe(false);
  expect(hasMovedOn(trip('paused'), trip('active'))).toBe(true);
  expect(hasMovedOn(trip('paused'), { ...trip('paused'), lastStep: 4 })).toBe(true);
});

test('of trips that failed the latest of each contact is taken up, where none of it is under way', () => {
  const failed = (id: string, contactId: string, startedAt: Date): MovableTrip => ({
    ...trip('failed'),
    id,
    contactId,
    startedAt,
  });
  const trips = [
    failed('a', 'ada', NOW),
    failed('b', 'ada', LATER),
    failed('x', 'ada', NOW),
    failed('c', 'bob', NOW),
    failed('d', 'cyd', NOW),
    failed('e', 'cyd', NOW),
    { ...failed('f', 'cyd', NOW), flowId: 'flow 2' },
  ];
  expect([...conflictingTrips(trips, new Set(['c']))]).toEqual(['a', 'x', 'c', 'd']);
  expect([...conflictingTrips(trips.toReversed(), new Set(['c']))]).toEqual(['d', 'c', 'x', 'a']);
  expect(conflictingTrips([], new Set())).toEqual(new Set());
});
