import { FailingWork } from './failing-work.js';

const START = Date.parse('2026-01-01T00:00:00Z');
const after = (seconds: number): Date => new Date(START + seconds * 1_000);

let failing: FailingWork;
beforeEach(() => (failing = new FailingWork()));

test('only what is done of the suspects clears them', () => {
  failing.batchFailed('q', ['a', 'b', 'c'], after(0));
  failing.done('q', ['x', 'y']);
  failing.done('q', []);
  expect(failing.isPausing('q', after(0.5))).toBe(true);
  failing.done('q', ['a', 'b']);
  expect(failing.batchFailed('q', ['c', 'z'], after(1))).toMatchObject({
    failures: { tries: 2 },
    quarantinedCount: 1,
  });
  failing.done('q', ['c']);
  expect(failing.isPausing('q', after(1))).toBe(false);
  expect(failing.batchFailed('q', ['c'], after(2))).toMatchObject({ failures: { tries: 1 } });
});

test('a failure within a pause narrows the suspects, and one behind it counts', () => {
  failing.batchFailed('q', ['a', 'b', 'c', 'd'], after(0));
  expect(failing.batchFailed('q', ['c', 'd', 'e'], after(0.5))).toMatchObject({
    failures: { tries: 1 },
    quarantinedCount: 2,
  });
  expect(failing.batchFailed('q', ['d', 'e'], after(1))).toMatchObject({
    failures: { tries: 2 },
    quarantinedCount: 1,
  });
  expect(failing.isPausing('q', after(2.9))).toBe(true);
  expect(failing.isPausing('q', after(3))).toBe(false);
});

test('batches that have no row in common, and queues, fail by themselves', () => {
  failing.batchFailed('q', ['a'], after(0));
  failing.batchFailed('q', ['b'], after(1));
  expect(failing.batchFailed('r', ['a'], after(2)).failures.tries).toBe(1);
  expect(failing.batchFailed('q', ['a'], after(2)).failures.tries).toBe(2);
  expect(failing.batchFailed('q', ['b'], after(2)).failures.tries).toBe(2);
});

test('a failure before rows are known ends with whatever is done', () => {
  failing.batchFailed('q', [], after(0));
  expect(failing.batchFailed('q', [], after(1)).failures.tries).toBe(2);
  failing.done('q', ['a']);
  expect(failing.isPausing('q', after(1))).toBe(false);
});

test('a row alone keeps nobody waiting, and is known in the next batch until it is done', () => {
  failing.batchFailed('q', ['a', 'b'], after(0));
  failing.done('q', ['b']);
  expect(failing.rowFailed('q', 'a', after(1), false).tries).toBe(1);
  expect(failing.isPausing('q', after(1))).toBe(false);
  expect(failing.rowFailed('q', 'a', after(2), false).tries).toBe(2);
  expect(failing.includesFailing('q', ['x', 'a'])).toBe(true);
  expect(failing.includesFailing('r', ['a'])).toBe(false);
  failing.done('q', ['a']);
  expect(failing.includesFailing('q', ['a'])).toBe(false);
});
