/** Filters in SQL. Callers' values are passed only as parameters, and text is searched literally. */
import type { Dimension } from '../../domain/catalogue/source.js';
import type { DimensionValue, FilterOperator, MetricFilter } from '../../domain/metric-query.js';
import type { Parameters } from './parameters.js';

type Scalar = string | number | boolean;

/** Negative operators; a row without a value matches them. */
const NEGATIVE: readonly FilterOperator[] = ['not_equals', 'not_in'];

export function isNegative({ operator }: MetricFilter): boolean {
  return NEGATIVE.includes(operator);
}

/**
 * Whether a row matches.
 * @param value the SQL of the dimension's value; for a list, of the whole list.
 */
export function filterSql(
  dimension: Dimension,
  filter: MetricFilter,
  { value, isList = false }: { readonly value: string; readonly isList?: boolean },
  parameters: Parameters,
): string {
  if (!isList) {
    const one = matchSql(dimension, filter, value, parameters);
    return isNegative(filter) ? `(${one}) IS NOT TRUE` : `(${one})`;
  }
  const one = matchSql(dimension, filter, 'i.item', parameters);
  return `${isNegative(filter) ? 'NOT ' : ''}EXISTS (SELECT FROM unnest(${value}) AS i(item) WHERE ${one})`;
}

/** Whether a value equals what the filter names, ignoring negation. */
export function matchSql(
  dimension: Dimension,
  { operator, value: given }: MetricFilter,
  value: string,
  parameters: Parameters,
): string {
  const values = (Array.isArray(given) ? given : [given]) as readonly Scalar[];
  if (operator === 'contains')
    return `strpos(lower(${value}), lower(${parameters.add(String(values[0] ?? ''), 'text')})) > 0`;
  return `${value} = ANY(${listSql(dimension, values, parameters)})`;
}

/** The values of a filter, in the SQL type of the dimension. */
function listSql({ key, valueKind }: Dimension, values: readonly Scalar[], parameters: Parameters): string {
  const texts = values.map(String);
  switch (valueKind) {
    case 'integer':
      return parameters.add(values.map(Number), 'int[]');
    case 'day':
      return parameters.add(texts, 'date[]');
    case 'month':
      return parameters.add(
        texts.map((month) => `${month}-01`),
        'date[]',
      );
    case 'id':
      if (key !== 'template') return parameters.add(texts, 'uuid[]');
      return `ARRAY(SELECT y.slug FROM {templates} y WHERE y.id = ANY(${parameters.add(texts, 'uuid[]')}))`;
    default:
      return parameters.add(texts, 'text[]');
  }
}

/** Whether a row belongs to a cell of an answer: its dimension has exactly this value. */
export function cellSql(
  dimension: Dimension,
  cellValue: DimensionValue,
  { value, isList = false }: { readonly value: string; readonly isList?: boolean },
  parameters: Parameters,
): string {
  if (
    dimension.key === 'template' &&
    typeof cellValue === 'object' &&
    cellValue !== null &&
    cellValue.id === null
  )
    return `${value} = ${parameters.add(cellValue.name, 'text')}`;
  const comparable = typeof cellValue === 'object' ? (cellValue?.id ?? null) : cellValue;
  if (comparable === null) return isList ? `coalesce(cardinality(${value}), 0) = 0` : `${value} IS NULL`;
  return filterSql(
    dimension,
    { field: dimension.key, operator: 'equals', value: comparable },
    { value, isList },
    parameters,
  );
}
