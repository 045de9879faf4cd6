import { DomainError } from '../../../kernel/domain-error.js';
import { attributionWindow, GOAL_DEFAULTS, MAX_GOALS, type Goal } from './goal.js';
import { assertFilterSize, assertEventUnused, assertGoalLimit, goalOf, reordered } from './goal-list.js';

const goal = (index: number): Goal => ({
  ...GOAL_DEFAULTS,
  id: `0190a5d2-7c3e-7b61-9a3e-${String(index).padStart(12, '0')}`,
  flowId: '0190a5d2-7c3e-7b61-9a3e-4f5f0c0fface',
  position: index,
  name: `Goal ${index}`,
  eventName: `event_${index}`,
  createdAt: new Date(0),
  updatedAt: new Date(0),
});
const GOALS = [goal(0), goal(1), goal(2)];
const IDS = GOALS.map(({ id }) => id);

const codeOf = (attempt: () => unknown): string => {
  try {
    attempt();
  } catch (error) {
    if (error instanceof DomainError) return error.code;
  }
  return 'none';
};

test.each([
  [1, 'hours', 3_600_000],
  [365, 'hours', 1_314_000_000],
  [7, 'days', 604_800_000],
  [1, 'weeks', 604_800_000],
  [365, 'weeks', 220_752_000_000],
] as const)(
  'a window of %i %s is %i milliseconds',
  (attributionWindowValue, attributionWindowUnit, length) => {
    expect(attributionWindow({ attributionWindowValue, attributionWindowUnit })).toBe(length);
  },
);

test('an event belongs to one goal of a flow; a goal may keep its own', () => {
  expect(codeOf(() => assertEventUnused(GOALS, 'event_1'))).toBe('goal_event_name_conflict');
  expect(codeOf(() => assertEventUnused(GOALS, 'event_1', IDS[0]))).toBe('goal_event_name_conflict');
  expect(codeOf(() => assertEventUnused(GOALS, 'event_1', IDS[1]))).toBe('none');
  expect(codeOf(() => assertEventUnused(GOALS, 'event_9'))).toBe('none');
});

test('a flow has room for so many goals', () => {
  const full = Array.from({ length: MAX_GOALS }, (_, index) => goal(index));
  expect(codeOf(() => assertGoalLimit(full))).toBe('invalid_field');
  expect(codeOf(() => assertGoalLimit(full.slice(1)))).toBe('none');
});

test('filters have a size', () => {
  expect(codeOf(() => assertFilterSize({ eventFilters: { a: 'x'.repeat(4_088) } }, 'event_filters'))).toBe(
    'none',
  );
  expect(codeOf(() => assertFilterSize({ eventFilters: { a: 'x'.repeat(4_089) } }, 'event_filters'))).toBe(
    'invalid_field',
  );
});

test('a goal is found by its id, or is none of the flow', () => {
  expect(goalOf(GOALS, IDS[2] ?? '').name).toBe('Goal 2');
  expect(codeOf(() => goalOf(GOALS, goal(7).id))).toBe('goal_not_found');
});

test('the order gives the positions', () => {
  const [a = '', b = '', c = ''] = IDS;
  expect(reordered(GOALS, [c, a.toUpperCase(), b]).map(({ id, position }) => [id, position])).toEqual([
    [c, 0],
    [a, 1],
    [b, 2],
  ]);
  expect(reordered([], [])).toEqual([]);
});

test.each([
  ['a missing goal', [IDS[0], IDS[1]]],
  ['an unknown goal', [...IDS, goal(7).id]],
  ['an unknown goal in place of one', [IDS[0], IDS[1], goal(7).id]],
  ['a repeated goal', [...IDS, IDS[0]]],
  ['a repeated goal in place of one', [IDS[0], IDS[1], IDS[0]]],
  ['no goal', []],
])('an order with %s is refused', (_name, ids) => {
  expect(codeOf(() => reordered(GOALS, ids as string[]))).toBe('validation_error');
});
