import { NOTHING_REPORTED } from '../../feedback/domain/reported-events.js';
import { NOTHING_MEASURED } from '../../metrics/domain/rates.js';
import { measuredCounts } from './campaign-counters.js';

const countsOf = (tracked: number, sent: number, opened = 0, clicked = 0) => ({
  ...{ instanceId: 'i', group: 0, tracked, sent, bounced: 0, opened, clicked },
});

test('what neither bore anything nor was told of is not measured', () =>
  expect(measuredCounts([countsOf(0, 10)], NOTHING_REPORTED)).toEqual(NOTHING_MEASURED));

test('messages count by what they bore', () =>
  expect(
    measuredCounts(
      [countsOf(0, 10), countsOf(1, 20, 5), countsOf(2, 30, 6, 6), countsOf(3, 40, 8, 4)],
      NOTHING_REPORTED,
    ),
  ).toEqual({
    ...{ deliveriesOf: 0, opensOf: 60, opensIn: 13, clicksOf: 70, clicksIn: 10, bothOf: 8, bothIn: 4 },
  }));

test('what the provider tells is measured of all', () =>
  expect(
    measuredCounts([countsOf(0, 10, 3), countsOf(2, 30, 6, 6)], {
      ...NOTHING_REPORTED,
      delivered: true,
      opened: true,
    }),
  ).toEqual({
    ...{ deliveriesOf: 40, opensOf: 40, opensIn: 9, clicksOf: 30, clicksIn: 6, bothOf: 6, bothIn: 6 },
  }));
