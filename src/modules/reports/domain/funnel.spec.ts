import fc from 'fast-check';
import { NO_EMAILS } from '../../metrics/domain/period-totals.js';
import type { Step } from '../../flows/domain/step.js';
import { emailStages, flowStages, withRates } from './funnel.js';

const stage = (count: number): { key: string; label: string; count: number } => ({
  key: 'k',
  label: 'L',
  count,
});
const rates = (...counts: number[]): [number, number][] =>
  withRates(counts.map(stage)).map(({ rateFromStart, rateFromPrevious }) => [
    rateFromStart,
    rateFromPrevious,
  ]);

test.each<[string, number[], [number, number][]]>([
  [
    'nothing at all',
    [0, 0, 0],
    [
      [0, 0],
      [0, 0],
      [0, 0],
    ],
  ],
  [
    'ever fewer',
    [200, 100, 25],
    [
      [100, 100],
      [50, 50],
      [12.5, 25],
    ],
  ],
  [
    'a stage that nobody came to, and one behind it',
    [3, 0, 1],
    [
      [100, 100],
      [0, 0],
      [33.33, 0],
    ],
  ],
  [
    'more than in the stage before',
    [4, 1, 2],
    [
      [100, 100],
      [25, 25],
      [50, 200],
    ],
  ],
  ['no stage', [], []],
])('rates of %s', (_, counts, expected) => expect(rates(...counts)).toEqual(expected));

test('rates are never negative and of two decimals, and the first stage is all of itself', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(1_000_000), { minLength: 1, maxLength: 8 }), (counts) => {
      const stages = rates(...counts);
      expect(stages[0]).toEqual(counts[0] === 0 ? [0, 0] : [100, 100]);
      for (const rate of stages.flat()) {
        expect(rate).toBeGreaterThanOrEqual(0);
        expect(Number(rate.toFixed(2))).toBe(rate);
      }
    }),
  );
});

test('messages come from sent to clicked', () => {
  const counts = { ...NO_EMAILS, sent: 9, delivered: 8, opened: 5, clicked: 2, bounced: 1, opensOf: 4 };
  expect(emailStages(counts)).toEqual([
    { key: 'sent', label: 'Sent', count: 9 },
    { key: 'delivered', label: 'Delivered', count: 8, isMeasured: false },
    { key: 'opened', label: 'Opened', count: 5, isMeasured: true },
    { key: 'clicked', label: 'Clicked', count: 2, isMeasured: false },
  ]);
});

test('a flow has its steps in their order, those of branches behind their split, then its end and its goals', () => {
  const steps: Step[] = [
    { id: 4, type: 'send_email', templateSlug: 'welcome' },
    {
      id: 2,
      type: 'ab_split',
      variants: [
        { name: 'a', percentage: 50, steps: [{ id: 9, type: 'wait', duration: '2d' }] },
        { name: 'b', percentage: 50, steps: [{ id: 1, type: 'update_contact', set: {} }] },
      ],
    },
  ];
  const trips = { entered: 10, completed: 3, converted: 2 };
  const reached = new Map([
    [4, 10],
    [2, 7],
    [9, 4],
    [77, 5],
  ]);
  const goals = [
    { id: 'x', name: 'First order' },
    { id: 'y', name: 'Second' },
  ];
  expect(
    flowStages(steps, goals, { trips, reached, converted: new Map([['x', 2]]) }).map(
      ({ key, label, count }) => [key, label, count],
    ),
  ).toEqual([
    ['entered', 'Entered', 10],
    ['step_4', 'Send email: welcome', 10],
    ['step_2', 'A/B split: 2 variants', 7],
    ['step_9', 'Wait: 2d', 4],
    ['step_1', 'Update contact', 0],
    ['completed', 'Completed', 3],
    ['goal_x', 'Goal: First order', 2],
    ['goal_y', 'Goal: Second', 0],
  ]);
});
