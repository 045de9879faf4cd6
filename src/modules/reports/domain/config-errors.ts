/** Checks the config of a report against the catalogue: section 2.8, and the fields of section 4.4. */
import { DATE_RANGE_PRESETS } from '../../../kernel/date-range.js';
import { type FieldError, invalidFields } from '../../../kernel/domain-error.js';
import { readIsoMoment } from '../../../kernel/iso-moment.js';
import { isStorableText } from '../../../kernel/json.js';
import { isUuid } from '../../../kernel/tenant-scope.js';
import { isLonger } from '../../../kernel/text-length.js';
import { CATALOGUE, sourceOf } from '../../metrics/domain/catalogue.js';
import { type Dimension, operatorsOf, type Source } from '../../metrics/domain/catalogue/source.js';
import { FILTER_OPERATORS, type FilterOperator } from '../../metrics/domain/metric-query.js';
import { MAX_VALUE_LENGTH, MAX_FILTERS, MAX_FILTER_VALUES } from './report-limits.js';
import { CHART_TYPES, type ReportConfig } from './report.js';

/** A config with names that are not checked yet. */
export interface UncheckedConfig {
  readonly dataSource: string;
  readonly metrics: readonly string[];
  readonly dimensions: readonly string[];
  readonly filters: readonly UncheckedFilter[];
  readonly chartType: string;
  readonly comparisonEnabled: boolean;
  readonly dateRangeDefault: string;
}

export interface UncheckedFilter {
  readonly field: string;
  readonly operator: string;
  readonly value: unknown;
}

/** The largest value of PostgreSQL's `integer`. */
const MAX_INTEGER = 2_147_483_647;

/** Returns all errors under REST's field names, such as `config.filters[0].operator`. */
export function configErrors(config: UncheckedConfig): FieldError[] {
  const { dataSource, metrics, dimensions, filters, chartType, dateRangeDefault } = config;
  const source = sourceOf(dataSource);
  return [
    ...(source ? [] : [configError('data_source', oneOf(Object.keys(CATALOGUE)))]),
    ...listErrors('metrics', metrics, source, source?.metrics ?? []),
    ...listErrors('dimensions', dimensions, source, source?.dimensions ?? []),
    ...(filters.length > MAX_FILTERS
      ? [configError('filters', `must hold at most ${MAX_FILTERS} filters`)]
      : []),
    ...filters
      .slice(0, MAX_FILTERS)
      .flatMap((filter, index) => filterErrors(`filters[${index}]`, filter, source)),
    ...choiceErrors('chart_type', chartType, CHART_TYPES),
    ...choiceErrors('date_range_default', dateRangeDefault, DATE_RANGE_PRESETS),
  ];
}

/** As `configErrors`; also requires at least one metric. */
export function runErrors(config: UncheckedConfig): FieldError[] {
  const errors = configErrors(config);
  return config.metrics.length > 0
    ? errors
    : [...errors, configError('metrics', 'must contain at least one metric to be run')];
}

function listErrors(
  list: string,
  keys: readonly string[],
  source: Source | undefined,
  allowed: readonly { readonly key: string }[],
): FieldError[] {
  return keys.flatMap((key, index) => {
    const path = `${list}[${index}]`;
    if (source && !allowed.some((one) => one.key === key))
      return [
        configError(
          path,
          `${otherSourcesHint(list, key, source)}must be one of ${allowed.map((one) => one.key).join(', ')}`,
        ),
      ];
    return keys.indexOf(key) < index ? [configError(path, 'is already in the list')] : [];
  });
}

/** Suggests another source that has the requested key. */
function otherSourcesHint(list: string, key: string, { key: own }: Source): string {
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
  path: string,
  { field, operator, value }: UncheckedFilter,
  source: Source | undefined,
): FieldError[] {
  if (!source) return [];
  const dimension = source.dimensions.find(({ key }) => key === field);
  if (!dimension)
    return [
      configError(
        `${path}.field`,
        `${otherSourcesHint('filters', field, source)}${oneOf(source.dimensions.map(({ key }) => key))}`,
      ),
    ];
  const operators = operatorsOf(dimension);
  const knownOperator = FILTER_OPERATORS.find((one) => one === operator);
  if (!knownOperator || !operators.includes(knownOperator))
    return [configError(`${path}.operator`, oneOf(operators))];
  const error = valueError(dimension, knownOperator, value);
  return error === undefined ? [] : [configError(`${path}.value`, error)];
}

/** Returns what is wrong with the value of a filter; undefined if it is valid. */
export function valueError(
  dimension: Dimension,
  operator: FilterOperator,
  value: unknown,
): string | undefined {
  if (operator === 'contains')
    return typeof value === 'string' && value !== '' ? textError(value) : 'must be a non-empty string';
  if (operator !== 'in' && operator !== 'not_in') return singleValueError(dimension, value);
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_FILTER_VALUES)
    return `must be a list of 1 to ${MAX_FILTER_VALUES} values`;
  return value.map((one) => singleValueError(dimension, one)).find((error) => error !== undefined);
}

function singleValueError({ valueKind, values }: Dimension, value: unknown): string | undefined {
  if (values) return values.some((known) => known === value) ? undefined : oneOf(values);
  switch (valueKind) {
    case 'id':
      return isUuid(value) ? undefined : 'must be an ID (a UUID)';
    case 'integer':
      return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MAX_INTEGER
        ? undefined
        : 'must be an integer';
    case 'day':
      return isDay(value) ? undefined : 'must be a date in the form YYYY-MM-DD';
    case 'month':
      return typeof value === 'string' && /^\d{4}-\d\d$/.test(value) && isDay(`${value}-01`)
        ? undefined
        : 'must be a month in the form YYYY-MM';
    case 'text':
      return typeof value === 'string' ? textError(value) : 'must be a string';
  }
}

function textError(value: string): string | undefined {
  if (isLonger(value, MAX_VALUE_LENGTH)) return `must be at most ${MAX_VALUE_LENGTH} characters long`;
  return isStorableText(value) ? undefined : 'must not contain NUL characters or unpaired surrogates';
}

function isDay(value: unknown): boolean {
  return typeof value === 'string' && readIsoMoment(value)?.kind === 'day';
}

function choiceErrors(name: string, value: string, choices: readonly string[]): FieldError[] {
  return choices.includes(value) ? [] : [configError(name, oneOf(choices))];
}

function oneOf(choices: readonly (string | number)[]): string {
  return `must be one of ${choices.join(', ')}`;
}

function configError(name: string, message: string): FieldError {
  return { field: `config.${name}`, message };
}

/**
 * Returns the config unchanged. A config without metrics can be stored, but not run.
 * @throws DomainError invalid_field with the path of the error, such as `config.metrics[0]`.
 */
export function checkedConfig(config: ReportConfig): ReportConfig {
  const errors = configErrors(config);
  if (errors.length > 0) throw invalidFields(errors);
  return config;
}
