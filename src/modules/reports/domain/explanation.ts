/** Explains a number: how it is computed, in words, and a sample of what it counts. */
import type { DateRange } from '../../../kernel/date-range.js';
import { dimensionOf, metricOf } from '../../metrics/domain/catalogue.js';
import type { Balance, Metric, Source } from '../../metrics/domain/catalogue/source.js';
import type { DimensionValue, FilterOperator, MetricFilter } from '../../metrics/domain/metric-query.js';

export interface Explanation {
  readonly metric: Metric;
  /** Null if not measured. */
  readonly value: number | null;
  /** How it is computed. */
  readonly formula: string;
  /** The counters it is computed from; the metric itself if it is a counter. */
  readonly counters: readonly { readonly key: string; readonly label: string; readonly value: number }[];
  /** The filter in words; null without one. */
  readonly filter: string | null;
  readonly range: DateRange;
  readonly sample: readonly {
    readonly id: string;
    readonly at: Date | null;
    readonly fields: Readonly<Record<string, unknown>>;
  }[];
}

/** Describes how a metric is computed, with the labels of its counters. */
export function formulaOf(source: Source, { label, computation }: Metric): string {
  switch (computation.kind) {
    case 'rate':
      return `100 × ${labelOf(source, computation.part)} ÷ (${formatBalance(source, computation.whole)}), with two decimals; 0 where that is 0`;
    case 'balance':
      return formatBalance(source, computation.of);
    case 'level':
      return 'all contacts ever created, minus those deleted, plus those restored, up to the end of the period';
    case 'people':
      return 'distinct external_ids';
    case 'median':
      return 'the median of all durations, in hours';
    case 'count':
      return `the number of ${label.toLowerCase()}`;
  }
}

function formatBalance(source: Source, { plus, minus = [] }: Balance): string {
  const added = plus.map((key) => labelOf(source, key)).join(' + ');
  return minus.reduce((text, key) => `${text} − ${labelOf(source, key)}`, added);
}

function labelOf(source: Source, key: string): string {
  return metricOf(source, key).label;
}

const OPERATOR_LABELS: Readonly<Record<FilterOperator, string>> = {
  equals: 'is',
  not_equals: 'is not',
  in: 'is one of',
  not_in: 'is none of',
  contains: 'contains',
};

/** Describes filters and the cell of a row in a sentence; null if there is neither. */
export function formatFilters(
  source: Source,
  filters: readonly MetricFilter[],
  cell: Readonly<Record<string, DimensionValue>>,
): string | null {
  const conditions = [
    ...filters.map(({ field, operator, value }) => {
      const values = (Array.isArray(value) ? (value as readonly unknown[]) : [value]).join(', ');
      return `${dimensionOf(source, field).label} ${OPERATOR_LABELS[operator]} ${values}`;
    }),
    ...Object.entries(cell).map(
      ([key, value]) => `${dimensionOf(source, key).label} is ${formatCellValue(value)}`,
    ),
  ];
  return conditions.length === 0 ? null : conditions.join(', and ');
}

function formatCellValue(value: DimensionValue): string {
  if (value === null) return 'none';
  return typeof value === 'object' ? value.name : String(value);
}
