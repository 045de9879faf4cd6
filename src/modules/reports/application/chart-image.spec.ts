import {
  comparedByDay,
  emailsByFlow,
  HOSTILE,
  OPEN_RATE,
  sampleData,
} from '../../../../test/support/report-samples.js';
import { CHART_IMAGE, chartPng } from './chart-image.js';

const FLOWS = Array.from({ length: 9 }, (_, index) => `Flow ${index + 1}`);

test.each([
  ['a month', comparedByDay(31)],
  ['eight lines that cross', emailsByFlow(FLOWS, 90, { chartType: 'line', metrics: [OPEN_RATE] })],
  ['areas with patterns', emailsByFlow(FLOWS, 90, { chartType: 'area' })],
  ['a table, in bars', emailsByFlow(FLOWS, 0, { chartType: 'table' })],
  ['hostile names', emailsByFlow([...HOSTILE])],
  ['nothing', sampleData()],
])('of %s is a PNG of bounded size', async (_name, data) => {
  const png = await chartPng(data);
  expect(png.subarray(0, 8).toString('hex')).toBe('89504e470d0a1a0a');
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([CHART_IMAGE.width, CHART_IMAGE.height]);
  expect(png.length).toBeLessThanOrEqual(500 * 1024);
});

test('words are drawn, whatever fonts the machine has: other words are another picture', async () => {
  const [one, other, again] = await Promise.all(
    ['Anna', 'Ирина', 'Anna'].map((name) => chartPng(emailsByFlow([name]))),
  );
  expect(one).toEqual(again);
  expect(one).not.toEqual(other);
});
