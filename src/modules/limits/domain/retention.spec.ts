import { DAY } from '../../../kernel/duration.js';
import { deletedUntil, GRACE_DAYS } from './retention.js';

const NOW = new Date('2026-06-15T12:00:00Z');
const ago = (days: number): Date => new Date(NOW.getTime() - days * DAY);
const at = (plan: string, formerPlans: string[] = [], changed: Date | null = null): Date | undefined =>
  deletedUntil({ plan, formerPlans, planChangedAt: changed }, NOW);

test('each plan keeps events for its days, one that is not known for those of the free one', () => {
  expect([at('free'), at('starter'), at('growth'), at('nonsense')]).toEqual([
    ago(30),
    ago(90),
    ago(365),
    ago(30),
  ]);
  expect(at('enterprise')).toBeUndefined();
});

test('former plans hold for a while where they keep more', () => {
  expect(at('free', ['growth'], ago(GRACE_DAYS - 1))).toEqual(ago(365));
  expect(at('free', ['enterprise', 'starter'], ago(1))).toBeUndefined();
  expect(at('free', ['growth'], ago(GRACE_DAYS))).toEqual(ago(30));
  expect(at('growth', ['free'], ago(1))).toEqual(ago(365));
});
