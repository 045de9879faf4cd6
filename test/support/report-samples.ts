/** Reports with their data as the service returns them, for tests of what users see. */
import type { DimensionValue, MetricRow } from '../../src/modules/metrics/domain/metric-query.js';
import type { Report } from '../../src/modules/reports/domain/report.js';
import { DEFAULT_CONFIG } from '../../src/modules/reports/domain/report.js';
import type {
  ReportData,
  ReportDimension,
  ReportMetric,
} from '../../src/modules/reports/domain/report-data.js';

const DAY = 86_400_000;
const FIRST = Date.parse('2026-03-01T00:00:00Z');

export const SENT: ReportMetric = { key: 'sent', label: 'Sent', format: 'number' };
export const OPENED: ReportMetric = { key: 'opened', label: 'Opened', format: 'number' };
export const CLICKED: ReportMetric = { key: 'clicked', label: 'Clicked', format: 'number' };
export const OPEN_RATE: ReportMetric = { key: 'open_rate', label: 'Open rate', format: 'percent' };
export const HOURS: ReportMetric = { key: 'median_hours', label: 'Median hours', format: 'hours' };

export const DATE: ReportDimension = { key: 'date', label: 'Date', type: 'time' };
export const FLOW: ReportDimension = { key: 'flow', label: 'Flow', type: 'text' };
export const DOMAIN: ReportDimension = { key: 'recipient_domain', label: 'Recipient domain', type: 'text' };

/** Names that a hostile caller may give to a report, a flow, or a contact's data. */
export const HOSTILE = [
  `</svg><script>alert(1)</script>`,
  `"><img src=x onerror=alert(1)>`,
  `' onload='alert(1)`,
  `]]><!--<!DOCTYPE x [<!ENTITY a "b">]>&a;`,
  `nul\u0000 half\ud800 other\udc00 end\uffff`,
  `\u202etxet desrever\u202c\u2066`,
  `line\r\nBcc: all@example.com`,
  `{{constructor}} {{{this}}} \${1+1}`,
  'x'.repeat(10_000),
  "=cmd|' /C calc'!A0",
] as const;

export function dayAt(index: number): string {
  return new Date(FIRST + index * DAY).toISOString().slice(0, 10);
}

/** A number that rises and falls with the week, the same in every run. */
export function wave(index: number, base: number, seed = 1): number {
  const week = [1, 1.12, 1.2, 1.16, 1.05, 0.55, 0.48][index % 7] ?? 1;
  const noise = ((index * 7_919 * seed + 104_729) % 97) / 97;
  return Math.round(base * week * (0.85 + 0.3 * noise) * (1 + index / 180));
}

export function rowOf(
  dimensions: Readonly<Record<string, DimensionValue>>,
  metrics: Readonly<Record<string, number | null>>,
): MetricRow {
  return { dimensions, metrics, measured: {} };
}

/** Emails by day. */
export function emailsByDay(days: number, changes: Partial<ReportData> = {}): ReportData {
  const rows = Array.from({ length: days }, (_, index) => {
    const sent = wave(index, 1_850);
    const opened = Math.round(sent * (0.38 + (index % 5) / 100));
    return rowOf(
      { date: dayAt(index) },
      {
        sent,
        opened,
        clicked: Math.round(opened * 0.21),
        open_rate: Math.round((opened / sent) * 10_000) / 100,
        median_hours: 3 + (index % 4) / 2,
      },
    );
  });
  return sampleData({
    dimensions: [DATE],
    metrics: [SENT, OPENED, CLICKED],
    rows,
    range: {
      from: new Date(FIRST),
      to: new Date(FIRST + days * DAY - 1),
      preset: null,
    },
    ...changes,
  });
}

/** The same, with the previous period and one unusual day. */
export function comparedByDay(days: number, changes: Partial<ReportData> = {}): ReportData {
  const data = emailsByDay(days, changes);
  const rows = data.rows.map(({ metrics }, index) =>
    rowOf(
      { date: dayAt(index - days) },
      Object.fromEntries(
        Object.entries(metrics).map(([key, value]) => [
          key,
          Math.round((value ?? 0) * (0.82 + ((index * 13) % 11) / 100)),
        ]),
      ),
    ),
  );
  const totals = totalsOf(data, rows);
  const change = Object.fromEntries(
    data.metrics.map(({ key }) => {
      const [now, before] = [data.totals[key] ?? 0, totals[key] ?? 0];
      return [key, before === 0 ? null : Math.round(((now - before) / before) * 1_000) / 10];
    }),
  );
  const { from } = data.range;
  const range = {
    from: new Date(from.getTime() - days * DAY),
    to: new Date(from.getTime() - 1),
    preset: null,
  };
  return { ...data, comparison: { range, totals, measured: {}, change, rows }, ...changes };
}

/** Messages by flow, or by flow and day. */
export function emailsByFlow(
  flows: readonly string[],
  days = 0,
  changes: Partial<ReportData> = {},
): ReportData {
  const rows = flows.flatMap((name, flow) => {
    const value = { id: `0190a5d2-7c3e-7b61-9a3e-4f5f0c0f${String(flow).padStart(4, '0')}`, name };
    const base = 5_200 / (flow + 1);
    return days === 0
      ? [
          rowOf(
            { flow: value },
            { sent: wave(flow, base, 3), opened: wave(flow, base * 0.4, 5), open_rate: 38 + (flow % 9) },
          ),
        ]
      : Array.from({ length: days }, (_, index) =>
          rowOf(
            { date: dayAt(index), flow: value },
            { sent: wave(index, base / 4, flow + 2), opened: 1, open_rate: 30 + ((index * (flow + 3)) % 13) },
          ),
        );
  });
  return sampleData({
    dimensions: days === 0 ? [FLOW] : [DATE, FLOW],
    metrics: [SENT],
    chartType: 'bar',
    rows:
      days === 0
        ? rows.toSorted((a, b) => (b.metrics['sent'] ?? 0) - (a.metrics['sent'] ?? 0))
        : rows.toSorted((a, b) =>
            JSON.stringify(a.dimensions['date']) < JSON.stringify(b.dimensions['date']) ? -1 : 1,
          ),
    range: { from: new Date(FIRST), to: new Date(FIRST + Math.max(1, days) * DAY - 1), preset: null },
    ...changes,
  });
}

export function sampleData(changes: Partial<ReportData> = {}): ReportData {
  const data: ReportData = {
    reportId: '0190a5d2-7c3e-7b61-9a3e-4f5f0c0f0001',
    reportType: 'email_performance',
    dataSource: 'email_logs',
    chartType: 'line',
    range: { from: new Date(FIRST), to: new Date(FIRST + 31 * DAY - 1), preset: null },
    generatedAt: new Date('2026-04-01T06:00:00Z'),
    cached: false,
    metrics: [SENT],
    dimensions: [DATE],
    rows: [],
    totals: {},
    measured: {},
    comparison: null,
    truncated: false,
    anomalies: [],
    ...changes,
  };
  return { ...data, totals: changes.totals ?? totalsOf(data, data.rows) };
}

function totalsOf({ metrics }: ReportData, rows: readonly MetricRow[]): Record<string, number> {
  return Object.fromEntries(
    metrics.map(({ key, format }) => {
      const sum = rows.reduce((total, row) => total + (row.metrics[key] ?? 0), 0);
      return [
        key,
        format === 'number' || rows.length === 0 ? sum : Math.round((sum / rows.length) * 100) / 100,
      ];
    }),
  );
}

export function sampleReport(changes: Partial<Report> = {}): Report {
  return {
    id: '0190a5d2-7c3e-7b61-9a3e-4f5f0c0f0001',
    name: 'Email performance',
    description: 'What we sent, and what came of it.',
    reportType: 'email_performance',
    visibility: 'workspace',
    config: { ...DEFAULT_CONFIG, metrics: ['sent', 'opened', 'clicked'], dimensions: ['date'] },
    isTemplate: false,
    createdBy: null,
    version: 1,
    lastViewedAt: null,
    createdAt: new Date(FIRST),
    updatedAt: new Date(FIRST),
    ...changes,
  };
}
