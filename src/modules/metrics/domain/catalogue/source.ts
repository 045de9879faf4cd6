/** What a source of the catalogue says of its metrics, dimensions and filters: everything else is made from this. */
import type { DataSource, FilterOperator } from '../question.js';

export type MetricFormat = 'number' | 'percent' | 'hours';
export type DimensionType = 'time' | 'text' | 'boolean';

/** Some metrics added up and others taken away, by their keys. */
export interface Balance {
  readonly plus: readonly string[];
  readonly minus?: readonly string[];
}

/**
 * How a metric comes about.
 * - `count`: a counter of the sums, of parts with one of `statuses` where these are named.
 * - `balance`: counts added up and taken away.
 * - `rate`: one count as a percentage of others.
 * - `level`: what a balance has come to since the beginning, at the end of each period.
 * - `people`, `median`: what no sum can answer, from the rows themselves.
 */
export type Computation =
  | { readonly kind: 'count'; readonly counter: string; readonly statuses?: readonly string[] }
  | { readonly kind: 'balance'; readonly of: Balance }
  | { readonly kind: 'rate'; readonly part: string; readonly whole: Balance }
  | { readonly kind: 'level' }
  | { readonly kind: 'people' }
  | { readonly kind: 'median' };

/**
 * Who has to tell for a metric to be known: the provider, of deliveries; or the provider or Waypost's own tracking, of opens and
 * clicks. Without any of it the metric is not measured, which is not 0.
 */
export type Measure = 'deliveries' | 'opens' | 'clicks' | 'opens_and_clicks';

export interface Metric {
  /** As callers write it. */
  readonly key: string;
  readonly label: string;
  readonly description: string;
  readonly format: MetricFormat;
  readonly computation: Computation;
  /** What it takes to know it, and of which counts; whatever is known without it has none. */
  readonly measured?: { readonly by: Measure; readonly of: Balance };
}

/** What the values of a dimension are, and so of its filter. */
export type ValueKind = 'text' | 'integer' | 'day' | 'month' | 'id';

export interface Dimension {
  readonly key: string;
  readonly label: string;
  readonly description: string;
  readonly type: DimensionType;
  readonly valueKind: ValueKind;
  /** All values that there can be, where these are few. */
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

/** The operators of a dimension's filter: a part of a text can be looked for, a part of a number, a date or an id cannot. */
export function operatorsOf({ valueKind }: Dimension): readonly FilterOperator[] {
  return valueKind === 'text' ? [...CHOICE, 'contains'] : CHOICE;
}

export function counted(
  key: string,
  label: string,
  description: string,
  counter = key,
  statuses?: readonly string[],
): Metric {
  const computation = { kind: 'count', counter, ...(statuses ? { statuses } : {}) } as const;
  return { key, label, description, format: 'number', computation };
}

export function rated(key: string, label: string, description: string, part: string, whole: Balance): Metric {
  return { key, label, description, format: 'percent', computation: { kind: 'rate', part, whole } };
}

/** The metric, which is known only of messages of which somebody tells. */
export function measured(metric: Metric, by: Measure, of: Balance): Metric {
  return { ...metric, measured: { by, of } };
}

export function text(key: string, label: string, description: string, values?: readonly string[]): Dimension {
  return { key, label, description, type: 'text', valueKind: 'text', ...(values ? { values } : {}) };
}

/** A flow, campaign or template, which comes with its name and is filtered by its id. */
export function named(key: string, label: string, description: string): Dimension {
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
