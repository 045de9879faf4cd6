import { HOUR, MINUTE } from '../../../kernel/duration.js';
import { decidesAt, restStartsAt, sendStartMs, testEndsAt, afterDecision } from './ab-phases.js';
import type { AbTest } from './ab-test.js';
import type { CampaignInstance } from './instance.js';

const START = new Date('2026-03-02T09:00:00Z');
const at = (milliseconds: number): Date => new Date(START.getTime() + milliseconds);
const abTest: AbTest = {
  variants: [],
  ...{ testPercentage: 20, metric: 'open_rate', goal: null, durationHours: 4 },
  ...{ sendWinner: 'auto', holdoutPercentage: 0 },
};
const instance = (more: Partial<CampaignInstance> = {}, test: Partial<AbTest> = {}): CampaignInstance => ({
  ...{ id: 'i', campaignId: 'c', number: 1, status: 'ab_testing', scheduledAt: null, startedAt: START },
  ...{ completedAt: null, takenTo: null, isTaken: true, audience: 100, skipped: 0, mailed: 100, rest: 80 },
  ...{ delayedMs: 0, pausedAt: null, sweep: null, sweepAfter: null },
  ...{ winner: null, decidedBy: null, decidedAt: null, restFrom: null, goalEvent: null, goalUntil: null },
  ...{ pacedAt: null, paced: 0, perMinute: null },
  content: { segmentId: 's', variants: [], abTest: { ...abTest, ...test } },
  timing: { maxPerHour: null, wallClock: null, offset: 0 },
  ...more,
});

test('a test ends when its hours are over, of which those of a pause are none', () => {
  expect(testEndsAt(instance())).toEqual(at(4 * HOUR));
  expect(testEndsAt(instance({ delayedMs: HOUR }))).toEqual(at(5 * HOUR));
});

test('numbers decide where no person does, once everybody is found, and once only', () => {
  expect(decidesAt(instance())).toEqual(at(4 * HOUR));
  expect(decidesAt(instance({}, { sendWinner: 'manual' }))).toBeNull();
  expect(decidesAt(instance({ isTaken: false }))).toBeNull();
  expect(
    decidesAt(afterDecision(instance(), { winner: 0, decidedBy: 'automatic' }, at(4 * HOUR))),
  ).toBeNull();
});

test('the rest begins at the decision, and never beside those of the test who still wait', () => {
  expect(restStartsAt(instance(), at(4 * HOUR))).toEqual(at(4 * HOUR));
  // The test's 20 messages take five hours at 4 an hour.
  const spread = instance({ timing: { maxPerHour: 4, wallClock: null, offset: 0 } });
  expect(restStartsAt(spread, at(4 * HOUR))).toEqual(at(5 * HOUR));
  expect(restStartsAt({ ...spread, delayedMs: HOUR }, at(5 * HOUR))).toEqual(at(5 * HOUR));
});

test('what was spread stays so through pauses, before the decision and behind it', () => {
  const decided = instance({ delayedMs: HOUR });
  const begun = { ...decided, restFrom: restStartsAt(decided, at(5 * HOUR)) };
  expect(sendStartMs(begun, true)).toBe(at(5 * HOUR).getTime());
  expect(sendStartMs({ ...begun, delayedMs: HOUR + MINUTE }, true)).toBe(at(5 * HOUR + MINUTE).getTime());
  expect(sendStartMs(begun, false)).toBe(at(HOUR).getTime());
});
