/** Explains a number: how it is computed, in words, and a sample of what it counts. */
import type { DateRange } from '../../../kernel/date-range.js';
import { dimensionOf, metricOf } from '../../metrics/domain/catalogue.js';
import type { Balance, Metric, Source } from '../../metrics/domain/catalogue/source.js';
import type { DimensionValue, FilterOperator, MetricFilter } from '../../metrics/domain/question.js';

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
      return `100 × ${labelOf(source, computation.part)} ÷ (${balanceWords(source, computation.whole)}), with two decimals; 0 where that is 0`;
    case 'balance':
      return balanceWords(source, computation.of);
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

function balanceWords(source: Source, { plus, minus = [] }: Balance): string {
  const added = plus.map((key) => labelOf(source, key)).join(' + ');
  return minus.reduce((words, key) => `${words} − ${labelOf(source, key)}`, added);
}

function labelOf(source: Source, key: string): string {
  return metricOf(source, key).label;
}

const WORDS: Readonly<Record<FilterOperator, string>> = {
  equals: 'is',
  not_equals: 'is not',
  in: 'is one of',
  not_in: 'is none of',
  contains: 'contains',
};

/** Describes filters and the cell of a row in a sentence; null if there is neither. */
export function filterWords(
  source: Source,
  filters: readonly MetricFilter[],
  cell: Readonly<Record<string, DimensionValue>>,
): string | null {
  const words = [
    ...filters.map(({ field, operator, value }) => {
      const values = (Array.isArray(value) ? (value as readonly unknown[]) : [value]).join(', ');
      return `${dimensionOf(source, field).label} ${WORDS[operator]} ${values}`;
    }),
    ...Object.entries(cell).map(
      ([key, value]) => `${dimensionOf(source, key).label} is ${valueWords(value)}`,
    ),
  ];
  return words.length === 0 ? null : words.join(', and ');
}

function valueWords(value: DimensionValue): string {
  if (value === null) return 'none';
  return typeof value === 'object' ? value.name : String(value);
}
