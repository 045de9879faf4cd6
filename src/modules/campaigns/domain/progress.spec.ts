import { HOUR, MINUTE, SECOND } from '../../../kernel/duration.js';
import type { CampaignInstance } from './instance.js';
import { paceAt, secondsLeft } from './progress.js';

const START = new Date('2026-03-02T09:00:00Z');
const at = (milliseconds: number): Date => new Date(START.getTime() + milliseconds);

test('a rate is what happened between two readings, some seconds apart', () => {
  const first = paceAt({ pacedAt: null, paced: 0, perMinute: null }, 10, START);
  expect(first).toEqual({ pacedAt: START, paced: 10, perMinute: null });
  expect(paceAt(first, 50, at(9 * SECOND))).toBe(first);
  expect(paceAt(first, 60, at(30 * SECOND))).toEqual({ pacedAt: at(30 * SECOND), paced: 60, perMinute: 100 });
  // A message that was retried reached no final status.
  expect(paceAt(first, 5, at(MINUTE)).perMinute).toBe(0);
});

const sending = (more: object = {}): CampaignInstance =>
  ({
    timing: { maxPerHour: null, wallClock: null, offset: 0 },
    ...{ perMinute: 60, isTaken: true, status: 'sending', mailed: 100 },
    ...more,
  }) as CampaignInstance;
const left = (more: object = {}, pending = 30): number | null =>
  secondsLeft(sending(more), { pending, startMs: START.getTime(), now: START });

test('what is left takes as long as the rate says', () => {
  expect(left()).toBe(30);
  expect(left({}, 0)).toBe(0);
  expect(left({ perMinute: null })).toBeNull();
  expect(left({ perMinute: 0 })).toBeNull();
});

test('what is spread over hours ends with its last turn', () => {
  const timing = { maxPerHour: 50, wallClock: null, offset: 0 };
  expect(left({ timing })).toBe((2 * HOUR) / SECOND);
  const soon = { maxPerHour: 200, wallClock: null, offset: 0 };
  expect(left({ timing: soon, perMinute: null })).toBe((30 * MINUTE) / SECOND);
  expect(left({ timing: soon, perMinute: 0.1 })).toBe((30 * MINUTE) / SECOND);
});

test('nobody can say where nothing goes, or it depends on clocks and numbers to come', () => {
  expect(left({ status: 'paused' })).toBeNull();
  expect(left({ status: 'ab_testing' })).toBeNull();
  expect(left({ isTaken: false })).toBeNull();
  expect(left({ timing: { maxPerHour: null, wallClock: '2026-03-02T09:00:00', offset: 0 } })).toBeNull();
});
