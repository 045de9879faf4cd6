/** The text alternative of a chart: what it shows, and its extremes. */
import type { ReportData, ReportMetric } from '../report-data.js';
import { formatAnomaly, isSequence, formatRange, formatDimensionValue } from '../report-formatters.js';
import { formatChange, formatMetricValue } from '../number-formatters.js';
import { sanitizeText } from '../sanitize-text.js';
import type { ChartModel, ChartShape } from './chart-model.js';

/** The text shown instead of a chart that has nothing to draw. */
export function emptyChartText({ metrics, totals }: ReportData): string {
  const isUnmeasured = metrics.length > 0 && metrics.every(({ key }) => totals[key] === null);
  return isUnmeasured ? 'Not measured in this period' : 'No data in this period';
}

const NAMES: Readonly<Record<ChartShape, string>> = {
  lines: 'Line chart',
  areas: 'Area chart',
  columns: 'Column chart',
  rows: 'Bar chart',
  pie: 'Pie chart',
};

const MAX_METRICS = 3;
const MAX_ANOMALIES = 3;
const MAX_LABEL_LENGTH = 60;
const MAX_DESCRIPTION_LENGTH = 700;

export interface ChartDescription {
  readonly title: string;
  /** One or more sentences. */
  readonly description: string;
}

/** @param model null if there is nothing to draw. */
export function chartDescription(data: ReportData, model: ChartModel | null): ChartDescription {
  const range = formatRange(data.range);
  if (!model) {
    const text = emptyChartText(data);
    return { title: `${text}: ${range}`, description: `${text}, ${range}.` };
  }
  const metrics = data.metrics.slice(0, MAX_METRICS);
  const names = metrics.map(({ label }) => sanitizeText(label, MAX_LABEL_LENGTH));
  const others = data.metrics.length - metrics.length;
  const dimensions = data.dimensions
    .map(({ label }) => sanitizeText(label, MAX_LABEL_LENGTH).toLowerCase())
    .join(' and ');
  const title =
    `${NAMES[model.shape]} of ${names.join(', ')}${others > 0 ? ` and ${others} more` : ''}` +
    `${dimensions === '' ? '' : ` by ${dimensions}`}, ${range}`;
  const sentences = [
    ...metrics.map((metric) => describeMetric(data, metric)),
    ...data.anomalies.slice(0, MAX_ANOMALIES).map((anomaly) => formatAnomaly(data, anomaly)),
  ];
  return { title, description: sanitizeText(sentences.join(' '), MAX_DESCRIPTION_LENGTH) };
}

/** `Sent: 12,480 in all, up by 12.5%; highest on Mar 3, 2026 with 610.` */
function describeMetric(data: ReportData, { key, label, format }: ReportMetric): string {
  const total = data.totals[key] ?? null;
  if (total === null) return `${sanitizeText(label, MAX_LABEL_LENGTH)}: not measured.`;
  const whole = formatMetricValue(total, format);
  const { comparison } = data;
  const change = comparison
    ? `, ${formatChange(comparison.change[key] ?? null, comparison.totals[key] !== null).words}`
    : '';
  const [dimension] = data.dimensions;
  const [first] = data.rows;
  const highest = data.rows.reduce(
    (best, row) => ((row.metrics[key] ?? 0) > (best?.metrics[key] ?? 0) ? row : best),
    first,
  );
  const name = `${sanitizeText(label, MAX_LABEL_LENGTH)}: ${whole} in total${change}`;
  if (!dimension || !highest || data.rows.length < 2) return `${name}.`;
  const category = formatDimensionValue(
    dimension,
    highest.dimensions[dimension.key] ?? null,
    MAX_LABEL_LENGTH,
  );
  const at = isSequence(dimension) ? `highest at ${category}` : `most of ${category}`;
  return `${name}; ${at} with ${formatMetricValue(highest.metrics[key] ?? 0, format)}.`;
}
