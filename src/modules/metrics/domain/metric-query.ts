/** Metric queries and their answers, shared by reports, analyses, flows and campaigns. */
import type { DateRange } from '../../../kernel/date-range.js';
import type { MeasuredMetrics } from './measured.js';

export const DATA_SOURCES = ['email_logs', 'flows', 'flow_trips', 'contacts', 'events'] as const;
export type DataSource = (typeof DATA_SOURCES)[number];

export const FILTER_OPERATORS = ['equals', 'not_equals', 'in', 'not_in', 'contains'] as const;
export type FilterOperator = (typeof FILTER_OPERATORS)[number];

export interface MetricFilter {
  /** A dimension of the source. */
  readonly field: string;
  readonly operator: FilterOperator;
  /** A list for `in` and `not_in`. */
  readonly value: string | number | boolean | readonly (string | number | boolean)[];
}

/** The keys are those of the catalogue. */
export interface MetricQuery {
  readonly source: DataSource;
  readonly metrics: readonly string[];
  readonly dimensions: readonly string[];
  readonly filters: readonly MetricFilter[];
  readonly range: DateRange;
}

/** A flow, campaign or template; the id is null if it was deleted, or there never was one. */
export interface NamedId {
  readonly id: string | null;
  readonly name: string;
}

export type DimensionValue = string | number | boolean | null | NamedId;

/** A value for each requested dimension, and a number for each metric, by key; null if not measured. */
export interface MetricRow {
  readonly dimensions: Readonly<Record<string, DimensionValue>>;
  readonly metrics: Readonly<Record<string, number | null>>;
  /** For metrics that were only partly measured, how much was. */
  readonly measured: MeasuredMetrics;
}

export interface MetricResult {
  /**
   * With a time dimension, ascending by time with a row for every period; otherwise by the first metric, largest first.
   */
  readonly rows: readonly MetricRow[];
  /** Totals of everything, including truncated rows. */
  readonly totals: Readonly<Record<string, number | null>>;
  /** As `measured` of a row, for the totals. */
  readonly measured: MeasuredMetrics;
  readonly truncated: boolean;
}
