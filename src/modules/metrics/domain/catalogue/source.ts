/**
 * How a source of the catalogue describes its metrics, dimensions and filters; everything else is derived from this.
 */
import type { DataSource, FilterOperator } from '../metric-query.js';

export type MetricFormat = 'number' | 'percent' | 'hours';
export type DimensionType = 'time' | 'text' | 'boolean';

/** A sum of metrics minus others, given by key. */
export interface Balance {
  readonly plus: readonly string[];
  readonly minus?: readonly string[];
}

/**
 * How a metric is computed:
 * - `count`: a counter of the rollups or of the source's rows, restricted to `statuses` if given.
 * - `balance`: counts added and subtracted.
 * - `rate`: one count as a percentage of others.
 * - `level`: a running total at the end of each period.
 * - `people`, `median`: computed from the source rows, since no rollup can answer them.
 */
export type Computation =
  | { readonly kind: 'count'; readonly counter: string; readonly statuses?: readonly string[] }
  | { readonly kind: 'balance'; readonly of: Balance }
  | { readonly kind: 'rate'; readonly part: string; readonly whole: Balance }
  | { readonly kind: 'level' }
  | { readonly kind: 'people' }
  | { readonly kind: 'median' };

/**
 * What makes a metric known: provider events for deliveries; provider events or Waypost's own tracking for opens and
 * clicks. Without any, the metric is not measured, which differs from 0.
 */
export type Measure = 'deliveries' | 'opens' | 'clicks' | 'opens_and_clicks';

export interface Metric {
  /** The name that callers use. */
  readonly key: string;
  readonly label: string;
  readonly description: string;
  readonly format: MetricFormat;
  readonly computation: Computation;
  /** The measurement it depends on, and the counts it covers; absent for metrics that need none. */
  readonly measured?: { readonly by: Measure; readonly of: Balance };
}

/** The type of a dimension's values, and of its filter. */
export type ValueKind = 'text' | 'integer' | 'day' | 'month' | 'id';

export interface Dimension {
  readonly key: string;
  readonly label: string;
  readonly description: string;
  readonly type: DimensionType;
  readonly valueKind: ValueKind;
  /** All possible values, if these are few. */
  readonly values?: readonly (string | number)[];
}

export interface Source {
  readonly key: DataSource;
  readonly label: string;
  readonly description: string;
  readonly metrics: readonly Metric[];
  readonly dimensions: readonly Dimension[];
}

const CHOICE: readonly FilterOperator[] = ['equals', 'not_equals', 'in', 'not_in'];

/** The operators of a dimension's filter. Only text can be searched for a part; numbers, dates and ids cannot. */
export function operatorsOf({ valueKind }: Dimension): readonly FilterOperator[] {
  return valueKind === 'text' ? [...CHOICE, 'contains'] : CHOICE;
}

export function countMetric(
  key: string,
  label: string,
  description: string,
  counter = key,
  statuses?: readonly string[],
): Metric {
  const computation = { kind: 'count', counter, ...(statuses ? { statuses } : {}) } as const;
  return { key, label, description, format: 'number', computation };
}

export function rateMetric(
  key: string,
  label: string,
  description: string,
  part: string,
  whole: Balance,
): Metric {
  return { key, label, description, format: 'percent', computation: { kind: 'rate', part, whole } };
}

/** Makes the metric known only for messages with this kind of measurement. */
export function withMeasurement(metric: Metric, by: Measure, of: Balance): Metric {
  return { ...metric, measured: { by, of } };
}

export function textDimension(
  key: string,
  label: string,
  description: string,
  values?: readonly string[],
): Dimension {
  return { key, label, description, type: 'text', valueKind: 'text', ...(values ? { values } : {}) };
}

/** A flow, campaign or template: shown with its name, filtered by its id. */
export function namedDimension(key: string, label: string, description: string): Dimension {
  return { key, label, description, type: 'text', valueKind: 'id' };
}

export const DATE: Dimension = {
  key: 'date',
  label: 'Date',
  description: 'Day in UTC, as YYYY-MM-DD.',
  type: 'time',
  valueKind: 'day',
};
export const WEEK: Dimension = {
  key: 'week',
  label: 'Week',
  description: 'Monday of the week, as YYYY-MM-DD.',
  type: 'time',
  valueKind: 'day',
};
export const MONTH: Dimension = {
  key: 'month',
  label: 'Month',
  description: 'Month in UTC, as YYYY-MM.',
  type: 'time',
  valueKind: 'month',
};
export const HOUR_OF_DAY: Dimension = {
  key: 'hour',
  label: 'Hour of day',
  description: 'Hour of the day in UTC, 0 to 23, across all days.',
  type: 'time',
  valueKind: 'integer',
  values: Array.from({ length: 24 }, (_, hour) => hour),
};
export const DAY_OF_WEEK: Dimension = {
  key: 'day_of_week',
  label: 'Day of week',
  description: 'Day of the week, from 0 (Monday) to 6 (Sunday), across all weeks.',
  type: 'time',
  valueKind: 'integer',
  values: Array.from({ length: 7 }, (_, day) => day),
};
