/** Checks the config of a report against the catalogue: section 2.8, and the fields of section 4.4. */
import { DATE_RANGE_PRESETS } from '../../../kernel/date-range.js';
import type { FieldError } from '../../../kernel/domain-error.js';
import { readIsoMoment } from '../../../kernel/iso-moment.js';
import { isStorableText } from '../../../kernel/json.js';
import { isUuid } from '../../../kernel/tenant-scope.js';
import { isLonger } from '../../../kernel/text-length.js';
import { CATALOGUE, sourceOf } from '../../metrics/domain/catalogue.js';
import { type Dimension, operatorsOf, type Source } from '../../metrics/domain/catalogue/source.js';
import { FILTER_OPERATORS, type FilterOperator } from '../../metrics/domain/question.js';
import { LONGEST_VALUE, MOST_FILTERS, MOST_VALUES } from './report-bounds.js';
import { CHART_TYPES } from './report.js';

/** A config with names that are not checked yet. */
export interface WrittenConfig {
  readonly dataSource: string;
  readonly metrics: readonly string[];
  readonly dimensions: readonly string[];
  readonly filters: readonly WrittenFilter[];
  readonly chartType: string;
  readonly comparisonEnabled: boolean;
  readonly dateRangeDefault: string;
}

export interface WrittenFilter {
  readonly field: string;
  readonly operator: string;
  readonly value: unknown;
}

/** The largest value of PostgreSQL's `integer`. */
const LARGEST = 2_147_483_647;

/** Returns all errors under REST's field names, such as `config.filters[0].operator`. */
export function configErrors(config: WrittenConfig): FieldError[] {
  const { dataSource, metrics, dimensions, filters, chartType, dateRangeDefault } = config;
  const source = sourceOf(dataSource);
  return [
    ...(source ? [] : [wrong('data_source', oneOf(Object.keys(CATALOGUE)))]),
    ...listErrors('metrics', metrics, source, source?.metrics ?? []),
    ...listErrors('dimensions', dimensions, source, source?.dimensions ?? []),
    ...(filters.length > MOST_FILTERS ? [wrong('filters', `must hold at most ${MOST_FILTERS} filters`)] : []),
    ...filters
      .slice(0, MOST_FILTERS)
      .flatMap((filter, index) => filterErrors(`filters[${index}]`, filter, source)),
    ...choiceErrors('chart_type', chartType, CHART_TYPES),
    ...choiceErrors('date_range_default', dateRangeDefault, DATE_RANGE_PRESETS),
  ];
}

/** As `configErrors`; also requires at least one metric. */
export function runErrors(config: WrittenConfig): FieldError[] {
  const errors = configErrors(config);
  return config.metrics.length > 0
    ? errors
    : [...errors, wrong('metrics', 'must contain at least one metric to be run')];
}

function listErrors(
  list: string,
  keys: readonly string[],
  source: Source | undefined,
  known: readonly { readonly key: string }[],
): FieldError[] {
  return keys.flatMap((key, index) => {
    const place = `${list}[${index}]`;
    if (source && !known.some((one) => one.key === key))
      return [
        wrong(
          place,
          `${elsewhere(list, key, source)}must be one of ${known.map((one) => one.key).join(', ')}`,
        ),
      ];
    return keys.indexOf(key) < index ? [wrong(place, 'is already in the list')] : [];
  });
}

/** Suggests another source that has the requested key. */
function elsewhere(list: string, key: string, { key: own }: Source): string {
  const others = Object.values(CATALOGUE).filter(
    (source) =>
      source.key !== own &&
      (list === 'metrics' ? source.metrics : source.dimensions).some((one) => one.key === key),
  );
  return others.length === 0
    ? ''
    : `belongs to ${others.map((source) => source.key).join(', ')}, not to ${own}: `;
}

function filterErrors(
  place: string,
  { field, operator, value }: WrittenFilter,
  source: Source | undefined,
): FieldError[] {
  if (!source) return [];
  const dimension = source.dimensions.find(({ key }) => key === field);
  if (!dimension)
    return [
      wrong(
        `${place}.field`,
        `${elsewhere('filters', field, source)}${oneOf(source.dimensions.map(({ key }) => key))}`,
      ),
    ];
  const operators = operatorsOf(dimension);
  const known = FILTER_OPERATORS.find((one) => one === operator);
  if (!known || !operators.includes(known)) return [wrong(`${place}.operator`, oneOf(operators))];
  const flaw = valueFlaw(dimension, known, value);
  return flaw === undefined ? [] : [wrong(`${place}.value`, flaw)];
}

/** Returns what is wrong with the value of a filter; undefined if it is valid. */
export function valueFlaw(
  dimension: Dimension,
  operator: FilterOperator,
  value: unknown,
): string | undefined {
  if (operator === 'contains')
    return typeof value === 'string' && value !== '' ? textFlaw(value) : 'must be a non-empty string';
  if (operator !== 'in' && operator !== 'not_in') return oneFlaw(dimension, value);
  if (!Array.isArray(value) || value.length === 0 || value.length > MOST_VALUES)
    return `must be a list of 1 to ${MOST_VALUES} values`;
  return value.map((one) => oneFlaw(dimension, one)).find((flaw) => flaw !== undefined);
}

function oneFlaw({ valueKind, values }: Dimension, value: unknown): string | undefined {
  if (values) return values.some((known) => known === value) ? undefined : oneOf(values);
  switch (valueKind) {
    case 'id':
      return isUuid(value) ? undefined : 'must be an ID (a UUID)';
    case 'integer':
      return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= LARGEST
        ? undefined
        : 'must be an integer';
    case 'day':
      return isDay(value) ? undefined : 'must be a date in the form YYYY-MM-DD';
    case 'month':
      return typeof value === 'string' && /^\d{4}-\d\d$/.test(value) && isDay(`${value}-01`)
        ? undefined
        : 'must be a month in the form YYYY-MM';
    case 'text':
      return typeof value === 'string' ? textFlaw(value) : 'must be a string';
  }
}

function textFlaw(value: string): string | undefined {
  if (isLonger(value, LONGEST_VALUE)) return `must be at most ${LONGEST_VALUE} characters long`;
  return isStorableText(value) ? undefined : 'must not contain NUL characters or unpaired surrogates';
}

function isDay(value: unknown): boolean {
  return typeof value === 'string' && readIsoMoment(value)?.kind === 'day';
}

function choiceErrors(name: string, value: string, choices: readonly string[]): FieldError[] {
  return choices.includes(value) ? [] : [wrong(name, oneOf(choices))];
}

function oneOf(choices: readonly (string | number)[]): string {
  return `must be one of ${choices.join(', ')}`;
}

function wrong(name: string, message: string): FieldError {
  return { field: `config.${name}`, message };
}
