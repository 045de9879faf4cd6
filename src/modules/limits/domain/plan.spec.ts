/** Sections 8.1 and 8.2, line by line. */
import { DomainError } from '../../../kernel/domain-error.js';
import { DAY } from '../../../kernel/duration.js';
import { assertWithin, highestKeyRate, planOf, monthOf, deletedUntil, GRACE_DAYS } from './plan.js';

const INF = Number.POSITIVE_INFINITY;

describe('the plan catalogue', () => {
  test.each([
    ['free', [60, 1_000], [100, 1_000, 100], [1_000, 10_000, 1_000, 2, 1, 5, 5], 30],
    ['starter', [300, 10_000], [1_000, 5_000, 1_000], [10_000, 100_000, 10_000, 10, 3, 25, 25], 90],
    [
      'growth',
      [1_000, 50_000],
      [10_000, 50_000, 10_000],
      [100_000, 1_000_000, 100_000, 50, 10, 100, 100],
      365,
    ],
    ['enterprise', [INF, INF], [INF, INF, INF], [INF, INF, INF, INF, INF, INF, INF], INF],
  ] as const)('%s', (name, person, workspace, caps, retention) => {
    const plan = planOf(name);
    expect(plan.name).toBe(name);
    expect([plan.perCaller.minute, plan.perCaller.hour]).toEqual(person);
    expect([plan.perWorkspace.general, plan.perWorkspace.events, plan.perWorkspace.send]).toEqual(workspace);
    const { emails, events, contacts, api_keys: keys, members, flows, inspect_credits: credits } = plan.caps;
    expect([emails, events, contacts, keys, members, flows, credits]).toEqual(caps);
    expect(plan.retentionDays).toBe(retention);
  });

  test('an unknown plan has the free limits', () => {
    expect(planOf('platinum')).toBe(planOf('free'));
    expect(planOf('toString')).toBe(planOf('free'));
  });

  test("a key's own rate may be as high as the workspace's highest window", () => {
    expect(highestKeyRate(planOf('starter'))).toBe(5_000);
    expect(highestKeyRate(planOf('enterprise'))).toBe(INF);
  });

  test('a plan that has none of a kind says which has', () => {
    expect(() => assertWithin('migrations', 0, planOf('free'))).toThrow(
      'The free plan does not include migrations: upgrade to the starter plan or higher.',
    );
    expect(() => assertWithin('migrations', 9, planOf('starter'))).not.toThrow();
  });

  test('a cap lets exactly its number pass', () => {
    const free = planOf('free');
    expect(() => assertWithin('api_keys', 1, free)).not.toThrow();
    expect(() => assertWithin('emails', 1e12, planOf('enterprise'))).not.toThrow();
    expect(() => assertWithin('api_keys', 2, free)).toThrow(DomainError);
    try {
      assertWithin('api_keys', 3, free);
    } catch (error) {
      expect((error as DomainError).body()).toEqual({
        code: 'plan_limit_reached',
        detail: 'The free plan allows 2 API keys.',
        limit_type: 'api_keys',
        current: 3,
        maximum: 2,
        plan: 'free',
      });
    }
  });
});

test.each([
  ['2026-11-01T00:00:00.000Z', '2026-11-01'],
  ['2026-11-30T23:59:59.999Z', '2026-11-01'],
  ['2026-12-31T23:30:00.000-02:00', '2027-01-01'],
])('%s counts in the month of %s', (moment, month) => expect(monthOf(new Date(moment))).toBe(month));

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
