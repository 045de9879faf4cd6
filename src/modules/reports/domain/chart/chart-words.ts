/** The text alternative of a chart: what it shows, and its extremes. */
import type { ReportData, ShownMetric } from '../report-data.js';
import { anomalyInWords, isSequence, rangeInWords, valueInWords } from '../report-words.js';
import { changeInWords, figureInWords } from '../shown-figures.js';
import { shownText } from '../shown-text.js';
import type { ChartModel, ChartShape } from './chart-model.js';

/** The text shown instead of a chart that has nothing to draw. */
export function emptyWords({ metrics, totals }: ReportData): string {
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

const MOST_METRICS = 3;
const MOST_ANOMALIES = 3;
const LONGEST_LABEL = 60;
const LONGEST = 700;

export interface ChartWords {
  readonly title: string;
  /** One or more sentences. */
  readonly description: string;
}

/** @param model null if there is nothing to draw. */
export function chartInWords(data: ReportData, model: ChartModel | null): ChartWords {
  const range = rangeInWords(data.range);
  if (!model) {
    const words = emptyWords(data);
    return { title: `${words}: ${range}`, description: `${words}, ${range}.` };
  }
  const metrics = data.metrics.slice(0, MOST_METRICS);
  const names = metrics.map(({ label }) => shownText(label, LONGEST_LABEL));
  const others = data.metrics.length - metrics.length;
  const dimensions = data.dimensions
    .map(({ label }) => shownText(label, LONGEST_LABEL).toLowerCase())
    .join(' and ');
  const title =
    `${NAMES[model.shape]} of ${names.join(', ')}${others > 0 ? ` and ${others} more` : ''}` +
    `${dimensions === '' ? '' : ` by ${dimensions}`}, ${range}`;
  const sentences = [
    ...metrics.map((metric) => metricInWords(data, metric)),
    ...data.anomalies.slice(0, MOST_ANOMALIES).map((anomaly) => anomalyInWords(data, anomaly)),
  ];
  return { title, description: shownText(sentences.join(' '), LONGEST) };
}

/** `Sent: 12,480 in all, up by 12.5%; highest on Mar 3, 2026 with 610.` */
function metricInWords(data: ReportData, { key, label, format }: ShownMetric): string {
  const total = data.totals[key] ?? null;
  if (total === null) return `${shownText(label, LONGEST_LABEL)}: not measured.`;
  const whole = figureInWords(total, format);
  const { comparison } = data;
  const change = comparison
    ? `, ${changeInWords(comparison.change[key] ?? null, comparison.totals[key] !== null).words}`
    : '';
  const [dimension] = data.dimensions;
  const [first] = data.rows;
  const highest = data.rows.reduce(
    (best, row) => ((row.metrics[key] ?? 0) > (best?.metrics[key] ?? 0) ? row : best),
    first,
  );
  const name = `${shownText(label, LONGEST_LABEL)}: ${whole} in total${change}`;
  if (!dimension || !highest || data.rows.length < 2) return `${name}.`;
  const place = valueInWords(dimension, highest.dimensions[dimension.key] ?? null, LONGEST_LABEL);
  const at = isSequence(dimension) ? `highest at ${place}` : `most of ${place}`;
  return `${name}; ${at} with ${figureInWords(highest.metrics[key] ?? 0, format)}.`;
}
