import {
  CLICKED,
  comparedByDay,
  DATE,
  dayAt,
  DOMAIN,
  emailsByDay,
  emailsByFlow,
  OPEN_RATE,
  OPENED,
  rowOf,
  sampleData,
  SENT,
} from '../../../../../test/support/report-samples.js';
import type { ReportData } from '../report-data.js';
import { chartModel, type ChartModel } from './chart-model.js';

const TWELVE = Array.from({ length: 12 }, (_, index) => `Flow ${index + 1}`);

function modelOf(data: ReportData): ChartModel {
  const model = chartModel(data);
  if (!model) throw new Error('Nothing is drawn.');
  return model;
}

test('nothing is drawn of a table, of no metrics, of no rows, and of nothing but zeros', () => {
  expect(chartModel(emailsByDay(7, { chartType: 'table' }))).toBeNull();
  expect(chartModel(emailsByDay(7, { metrics: [] }))).toBeNull();
  expect(chartModel(sampleData())).toBeNull();
  expect(chartModel(sampleData({ rows: [rowOf({ date: dayAt(0) }, { sent: 0 })] }))).toBeNull();
});

test.each([
  ['line', 'lines'],
  ['area', 'areas'],
  ['bar', 'columns'],
  ['pie', 'columns'],
] as const)('%s over time is drawn as %s', (chartType, shape) => {
  expect(modelOf(emailsByDay(7, { chartType })).shape).toBe(shape);
  expect(modelOf(emailsByDay(1, { chartType })).shape).toBe('columns');
});

test.each(['line', 'area', 'bar'] as const)('%s of names is drawn as rows', (chartType) => {
  expect(modelOf(emailsByFlow(['A', 'B'], 0, { chartType })).shape).toBe('rows');
});

test('more columns than can be told apart are drawn as a line', () => {
  expect(modelOf(emailsByDay(200, { chartType: 'bar' })).shape).toBe('lines');
});

test('metrics are series; different units never share an axis', () => {
  const { panels } = modelOf(emailsByDay(7, { metrics: [SENT, OPEN_RATE, OPENED] }));
  expect(panels.map(({ format, series }) => [format, series.map(({ label }) => label)])).toEqual([
    ['number', ['Sent', 'Opened']],
    ['percent', ['Open rate']],
  ]);
});

test('time ascends, however rows come, and the period before lies at the same places', () => {
  const data = comparedByDay(3, { metrics: [SENT] });
  const mixed = {
    ...data,
    rows: data.rows.toReversed(),
    comparison: { ...data.comparison!, rows: data.comparison!.rows.toReversed() },
  };
  const [panel] = modelOf(mixed).panels;
  expect(panel?.points.map(({ short }) => short)).toEqual(['Mar 1', 'Mar 2', 'Mar 3']);
  expect(panel?.series[0]?.values).toEqual(data.rows.map(({ metrics }) => metrics['sent']));
  expect(panel?.series[0]?.before).toEqual(data.comparison?.rows.map(({ metrics }) => metrics['sent']));
});

test('names are compared with themselves, wherever they stood before', () => {
  const now = emailsByFlow(['A', 'B']);
  const rows = now.rows
    .toReversed()
    .slice(0, 1)
    .map(({ dimensions }) => rowOf(dimensions, { sent: 7 }));
  const comparison = { range: now.range, totals: { sent: 7 }, measured: {}, change: { sent: 1 }, rows };
  expect(modelOf({ ...now, comparison }).panels[0]?.series[0]?.before).toEqual([null, 7]);
});

test('what is unusual is marked at its place, of its metric alone', () => {
  const anomaly = { metric: 'clicked', at: dayAt(2), value: 9, low: 1, high: 2 };
  const [panel] = modelOf(emailsByDay(5, { anomalies: [anomaly, { ...anomaly, at: '2020-01-01' }] })).panels;
  expect(panel?.series.map(({ marked }) => marked)).toEqual([[], [], [{ index: 2, anomaly }]]);
});

describe('of a second dimension', () => {
  test('the eight largest are series, and the rest is one, whose sum is what is left', () => {
    const data = emailsByFlow(TWELVE, 5, { chartType: 'line' });
    const { panels, heading } = modelOf(data);
    const series = panels[0]?.series ?? [];
    expect(heading).toBe('Sent by flow');
    expect(series.map(({ label, isRest }) => [label, isRest])).toEqual([
      ...TWELVE.slice(0, 8).map((name) => [name, false]),
      ['Other', true],
    ]);
    const drawn = series.reduce(
      (sum, { values }) => sum + values.reduce<number>((all, value) => all + (value ?? 0), 0),
      0,
    );
    expect(drawn).toBe(data.totals['sent']);
  });

  test('counts that are not there are 0, rates are not known; rates have no rest and are not stacked', () => {
    const rows = [
      rowOf({ date: dayAt(0), recipient_domain: 'a' }, { sent: 5, open_rate: 10 }),
      rowOf({ date: dayAt(1), recipient_domain: 'b' }, { sent: 3, open_rate: 20 }),
    ];
    const data = sampleData({ dimensions: [DATE, DOMAIN], rows, metrics: [SENT] });
    const [counts] = modelOf(data).panels;
    expect(counts?.series.map(({ values }) => values)).toEqual([
      [5, 0],
      [0, 3],
    ]);
    expect(counts?.isStacked).toBe(true);
    const [rates] = modelOf({ ...data, metrics: [OPEN_RATE] }).panels;
    expect(rates?.series.map(({ label, values }) => [label, values])).toEqual([
      ['b', [null, 20]],
      ['a', [10, null]],
    ]);
    expect(rates?.isStacked).toBe(false);
    const many = modelOf(emailsByFlow(TWELVE, 5, { metrics: [OPEN_RATE] }));
    expect(many.panels[0]?.series).toHaveLength(8);
    expect(many.notes).toContain('Flow: 8 of 12 shown');
  });

  test('people that several rows count are not added up', () => {
    const people = { key: 'contacts', label: 'Contacts', format: 'number' } as const;
    const rows = TWELVE.map((name) => rowOf({ date: dayAt(0), event_name: name }, { contacts: 4 }));
    const dimensions = [DATE, { key: 'event_name', label: 'Event name', type: 'text' } as const];
    const data = sampleData({ dataSource: 'events', dimensions, metrics: [people], rows });
    expect(modelOf(data).panels[0]?.series.some(({ isRest }) => isRest)).toBe(false);
    expect(modelOf(data).panels[0]?.isStacked).toBe(false);
  });

  test('flows of the same name are two, and one flow is one under whatever name', () => {
    const flow = (id: string, name: string): object => ({ id, name });
    const rows = [
      rowOf({ date: dayAt(0), flow: flow('1', 'Same') as never }, { sent: 5 }),
      rowOf({ date: dayAt(0), flow: flow('2', 'Same') as never }, { sent: 4 }),
      rowOf({ date: dayAt(1), flow: flow('1', 'Renamed') as never }, { sent: 3 }),
    ];
    const [panel] = modelOf(emailsByFlow([], 1, { rows })).panels;
    expect(panel?.series.map(({ label, values }) => [label, values])).toEqual([
      ['Same', [5, 3]],
      ['Same', [4, 0]],
    ]);
  });
});

describe('a pie', () => {
  test('holds the whole: eight parts, and the rest', () => {
    const data = emailsByFlow(TWELVE, 0, { chartType: 'pie' });
    const { shape, panels } = modelOf(data);
    expect(shape).toBe('pie');
    expect(panels[0]?.points.map(({ label }) => label).at(-1)).toBe('Other');
    const values = panels[0]?.series[0]?.values ?? [];
    expect(values.reduce<number>((sum, value) => sum + (value ?? 0), 0)).toBe(data.totals['sent']);
  });

  test.each<[string, Partial<ReportData>]>([
    ['rates', { metrics: [OPEN_RATE] }],
    ['what a contact may have several of', { dimensions: [{ key: 'tag', label: 'Tag', type: 'text' }] }],
    ['less than nothing', { rows: [rowOf({ flow: 'a' }, { sent: -5 }), rowOf({ flow: 'b' }, { sent: 8 })] }],
  ])('is none of %s: their sum says nothing', (_what, changes) => {
    expect(modelOf(emailsByFlow(['A', 'B'], 0, { chartType: 'pie', ...changes })).shape).toBe('rows');
  });
});

test('without dimensions each metric has a row', () => {
  const totals = { sent: 10, opened: 4, clicked: 1, open_rate: 40 };
  const metrics = [SENT, OPENED, CLICKED, OPEN_RATE];
  const { shape, panels } = modelOf(
    sampleData({ dimensions: [], metrics, totals, rows: [rowOf({}, totals)] }),
  );
  expect(shape).toBe('rows');
  expect(panels.map(({ series }) => series[0]?.values)).toEqual([[10, 4, 1], [40]]);
});
