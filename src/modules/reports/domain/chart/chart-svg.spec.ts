import { Resvg } from '@resvg/resvg-js';
import fc from 'fast-check';
import {
  comparedByDay,
  dayAt,
  emailsByDay,
  emailsByFlow,
  HOSTILE,
  HOURS,
  OPEN_RATE,
  rowOf,
  sampleData,
  SENT,
} from '../../../../../test/support/report-samples.js';
import { CHART_TYPES } from '../report.js';
import type { ReportData } from '../report-data.js';
import { chartSvg } from './chart-svg.js';

const SIZE = { width: 600, height: 300, theme: 'light' } as const;
const FLOWS = Array.from({ length: 12 }, (_, index) => `Flow ${index + 1}`);

const CASES: readonly (readonly [string, ReportData])[] = [
  [
    'a month',
    comparedByDay(31, { anomalies: [{ metric: 'sent', at: dayAt(4), value: 9, low: 1, high: 2 }] }),
  ],
  ['one day', emailsByDay(1)],
  ['two years', emailsByDay(730)],
  ['three units', emailsByDay(31, { metrics: [SENT, OPEN_RATE, HOURS] })],
  ['twelve flows', emailsByFlow(FLOWS)],
  ['twelve flows over time', emailsByFlow(FLOWS, 31)],
  ['rates of flows over time', emailsByFlow(FLOWS, 31, { metrics: [OPEN_RATE] })],
  ['hostile names', emailsByFlow([...HOSTILE])],
  ['hostile names over time', emailsByFlow([...HOSTILE], 3)],
  ['hostile labels', emailsByDay(3, { metrics: HOSTILE.map((label) => ({ ...SENT, label })) })],
  ['no dimensions', sampleData({ dimensions: [], totals: { sent: 3 }, rows: [rowOf({}, { sent: 3 })] })],
  ['nothing', sampleData()],
  [
    'less than nothing',
    sampleData({ rows: [rowOf({ date: dayAt(0) }, { sent: -5 }), rowOf({ date: dayAt(1) }, { sent: 3 })] }),
  ],
];

/** Every element that a chart may contain. References exist only to patterns, within the drawing itself. */
const ELEMENTS = new Set(['svg', 'title', 'desc', 'defs', 'pattern', 'rect', 'path', 'circle', 'g', 'text']);

describe.each(CHART_TYPES.filter((type) => type !== 'table'))('%s', (chartType) => {
  test.each(CASES)('of %s is sound XML that loads and runs nothing', (_name, data) => {
    for (const width of [960, 600, 340])
      for (const theme of ['light', 'dark', 'auto'] as const) {
        const svg = chartSvg({ ...data, chartType }, { width, height: 320, theme });
        // Resvg has a strict XML parser.
        if (theme === 'light') expect(new Resvg(svg, { font: { loadSystemFonts: false } }).width).toBe(width);
        const names = [...svg.matchAll(/<([\w:!?-]+)/g)].map(([, name = '']) => name);
        expect(names.filter((name) => !ELEMENTS.has(name))).toEqual([]);
        expect(svg).not.toMatch(/ on\w+="|href|<style| style=|@import|NaN|undefined|Infinity/);
        const targets = [...svg.matchAll(/url\(([^)]*)\)/g)].map(([, target = '']) => target);
        expect(targets.filter((target) => !/^#chart\d+-p\d$/.test(target))).toEqual([]);
        expect(svg).not.toContain('<script');
        expect(svg.length).toBeLessThan(250_000);
      }
  });
});

test('a table has no chart', () => {
  expect(chartSvg(emailsByDay(3, { chartType: 'table' }), SIZE)).toBe('');
});

test('nothing to show says so, for eyes and for ears', () => {
  const svg = chartSvg(sampleData(), SIZE);
  expect(svg).toContain('>No data in this period</text>');
  expect(svg).toContain('<title id="chart600-title">No data in this period: Mar 1 – 31, 2026</title>');
});

test('is told to who cannot see it', () => {
  const data = comparedByDay(7, {
    metrics: [SENT],
    anomalies: [{ metric: 'sent', at: dayAt(2), value: 90, low: 10, high: 20 }],
  });
  const svg = chartSvg(data, SIZE);
  expect(svg).toMatch(/^<svg [^>]*role="img" aria-labelledby="chart600-title chart600-words"/);
  expect(svg).toContain('>Line chart of Sent by date, Mar 1 – 7, 2026</title>');
  const words = /<desc id="chart600-words">(.*?)<\/desc>/s.exec(svg)?.[1];
  expect(words).toMatch(/^Sent: [\d,]+ in total, up by [\d.]+%; highest at Mar \d, 2026 with [\d,]+\./);
  expect(words).toContain('Sent on Mar 3, 2026: 90, above its usual 10 to 20.');
});

test('the period before is dashed and lighter, what is unusual has a ring and its band', () => {
  const anomalies = [{ metric: 'sent', at: dayAt(2), value: 90, low: 10, high: 20 }];
  const plain = chartSvg(emailsByDay(7, { metrics: [SENT] }), SIZE);
  const full = chartSvg(comparedByDay(7, { metrics: [SENT], anomalies }), SIZE);
  const dashed = /<path d="M[^"]*" fill="none"[^>]*stroke-dasharray="4 4" stroke-opacity="0.65"\/>/;
  expect(plain).not.toMatch(dashed);
  expect(full).toMatch(dashed);
  expect([plain, full].map((svg) => svg.includes('<circle'))).toEqual([false, true]);
  expect([plain, full].map((svg) => svg.includes('>Previous period</text>'))).toEqual([false, true]);
});

test('colour is never the only sign: each series has a sign or a pattern of its own', () => {
  const lines = chartSvg(emailsByFlow(FLOWS.slice(0, 8), 5, { chartType: 'line' }), SIZE);
  const signs = [
    ...lines.matchAll(/<path d="([^"]+)" transform="translate\([^)]*\)( rotate\(180\))?" fill="(#\w+)"/g),
  ];
  const bySeries = new Map(signs.map(([, path, turn, colour]) => [colour, `${path}${turn ?? ''}`]));
  expect(bySeries.size).toBe(8);
  expect(new Set(bySeries.values()).size).toBe(8);
  const columns = chartSvg(emailsByFlow(FLOWS.slice(0, 8), 5), SIZE);
  const patterns = [...columns.matchAll(/<pattern ([^>]*)>.*?<path d="([^"]+)"/g)].map(
    ([, look, path]) => `${look?.replace(/id="\S+"/, '')}${path}`,
  );
  expect(patterns).toHaveLength(7);
  expect(new Set(patterns).size).toBe(7);
});

test('few points are drawn of many, with every peak', () => {
  const data = emailsByDay(1_000, { metrics: [SENT] });
  const peak = data.rows.map(({ metrics, dimensions }, index) =>
    rowOf(dimensions, { sent: index === 501 ? 1e6 : (metrics['sent'] ?? 0) }),
  );
  const svg = chartSvg({ ...data, rows: peak }, SIZE);
  const line = /<path d="(M[^"]*)" fill="none"[^>]*stroke-width="2"\/>/.exec(svg)?.[1] ?? '';
  const points = line
    .slice(1)
    .split('L')
    .map((point) => Number(point.split(',')[1]));
  expect(points.length).toBeGreaterThan(300);
  expect(points.length).toBeLessThanOrEqual(400);
  expect(points.filter((y) => y < 60)).toHaveLength(1);
});

test('whatever figures come, everything lies within the drawing', () => {
  const figure = fc.oneof(
    fc.integer({ min: -1e6, max: 1e9 }),
    fc.double({ min: 0, max: 100, noNaN: true }),
    fc.integer({ min: 0, max: 10_000 }).map((value) => value / 100),
  );
  fc.assert(
    fc.property(
      fc.array(figure, { minLength: 1, maxLength: 60 }),
      fc.constantFrom(...CHART_TYPES),
      (values, chartType) => {
        const rows = values.map((value, index) => rowOf({ date: dayAt(index) }, { sent: value }));
        const svg = chartSvg(sampleData({ chartType, rows }), { ...SIZE, theme: 'auto' });
        const texts = [...svg.matchAll(/<text x="([-\d.e]+)" y="([-\d.e]+)"/g)].map(([, x, y]) => ({
          x: Number(x),
          y: Number(y),
        }));
        expect(texts.filter(({ x, y }) => !(x >= 0 && x <= SIZE.width && y <= SIZE.height))).toEqual([]);
        const bottoms = [...svg.matchAll(/<rect x="[^"]*" y="([^"]*)" width="[^"]*" height="([^"]*)"/g)].map(
          ([, y, height]) => Number(y) + Number(height),
        );
        expect(bottoms.filter((bottom) => !(bottom <= SIZE.height))).toEqual([]);
      },
    ),
  );
});
