import {
  deltasByHour,
  deltasByBranch,
  stepCountsById,
  sumStepDeltas,
  type StepCountDelta,
} from './step-count-delta.js';

const NINE = new Date('2026-03-02T09:00:00Z');
const TEN = new Date('2026-03-02T10:00:00Z');
const one = (flowId: string, stepId: number, way = '', hour = NINE): StepCountDelta => ({
  flowId,
  stepId,
  way,
  hour,
  taken: 1,
});

test('counts are summed up by flow, step, way and hour, in the order of the key', () => {
  expect(
    sumStepDeltas([
      one('b', 1),
      one('a', 10),
      one('a', 2, 'true'),
      one('a', 2, 'false'),
      one('a', 2, 'true'),
      one('b', 1),
    ]),
  ).toEqual([
    { flowId: 'a', stepId: 2, way: 'false', hour: NINE, taken: 1 },
    { flowId: 'a', stepId: 2, way: 'true', hour: NINE, taken: 2 },
    { flowId: 'a', stepId: 10, way: '', hour: NINE, taken: 1 },
    { flowId: 'b', stepId: 1, way: '', hour: NINE, taken: 2 },
  ]);
});

test('of hours and ways those that do not matter are summed up', () => {
  const counts = [one('a', 1, 'true', NINE), one('a', 1, 'true', TEN), one('a', 1, 'false', TEN)];
  expect(deltasByBranch(counts).map(({ way, taken }) => [way, taken])).toEqual([
    ['false', 1],
    ['true', 2],
  ]);
  expect(deltasByHour(counts).map(({ hour, taken }) => [hour, taken])).toEqual([
    [NINE, 1],
    [TEN, 2],
  ]);
});

test('the figures of a step are its ways together, and who stands there', () => {
  const figures = stepCountsById(
    [
      { stepId: 1, way: '', taken: 5 },
      { stepId: 2, way: '0', taken: 3 },
      { stepId: 2, way: 'none', taken: 2 },
    ],
    [
      { stepId: 0, standing: 1, isMore: false },
      { stepId: 1, standing: 4, isMore: true },
    ],
  );
  expect(figures.get(0)).toEqual({ taken: 0, ways: new Map(), standing: 1, isMore: false });
  expect(figures.get(1)).toEqual({ taken: 5, ways: new Map(), standing: 4, isMore: true });
  expect(figures.get(2)).toEqual({
    taken: 5,
    ways: new Map([
      ['0', 3],
      ['none', 2],
    ]),
    standing: 0,
    isMore: false,
  });
});
