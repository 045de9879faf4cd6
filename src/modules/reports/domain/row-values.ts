/** Reads the dimension values with which a caller identifies a row, to explain one number. */
import type { FieldError } from '../../../kernel/domain-error.js';
import { isJsonObject } from '../../../kernel/json.js';
import { isUuid } from '../../../kernel/tenant-scope.js';
import type { Dimension, Source } from '../../metrics/domain/catalogue/source.js';
import type { DimensionValue, NamedId } from '../../metrics/domain/metric-query.js';
import { valueError } from './config-errors.js';

export type RowValues = Readonly<Record<string, DimensionValue>>;

/**
 * Reads the values of a row. Flows, campaigns and templates are given by id, or by the object that a row contains for
 * them.
 * @returns the errors, if there are any.
 */
export function readRowValues(
  source: Source,
  dimensions: readonly string[],
  input: unknown,
): { readonly row: RowValues } | { readonly errors: readonly FieldError[] } {
  if (input === undefined || input === null) return { row: {} };
  if (!isJsonObject(input)) return { errors: [{ field: 'row', message: 'must be an object' }] };
  const errors: FieldError[] = [];
  const row: Record<string, DimensionValue> = {};
  for (const [key, value] of Object.entries(input)) {
    const dimension = source.dimensions.find((one) => one.key === key);
    if (!dimension || !dimensions.includes(key)) {
      // Rows also contain metrics, which do not identify a row.
      if (source.metrics.some((metric) => metric.key === key)) continue;
      errors.push({ field: `row.${key}`, message: 'is not a dimension of the report' });
      continue;
    }
    const read = readValue(dimension, value);
    if (read === undefined) errors.push({ field: `row.${key}`, message: 'is not a value of the dimension' });
    else row[key] = read;
  }
  return errors.length > 0 ? { errors } : { row };
}

function readValue(dimension: Dimension, value: unknown): DimensionValue | undefined {
  if (value === null) return null;
  if (dimension.valueKind !== 'id')
    return valueError(dimension, 'equals', value) === undefined ? (value as DimensionValue) : undefined;
  if (isUuid(value)) return { id: value, name: value };
  if (!isJsonObject(value)) return undefined;
  const { id, name } = value;
  if (typeof name !== 'string' || !(id === null || isUuid(id))) return undefined;
  return { id, name } satisfies NamedId;
}
