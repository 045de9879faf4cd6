/** What a config must be beyond its shape, before it is stored: both faces, and whatever makes or changes a report, come by here. */
import { invalidFields, type FieldError } from '../../../kernel/domain-error.js';
import type { ReportConfig } from './report.js';

/**
 * The config as it was given.
 * @throws DomainError invalid_field that names what is wrong, such as `config.metrics[0]`.
 */
export function checkedConfig(config: ReportConfig): ReportConfig {
  const errors = [...repeated('metrics', config.metrics), ...repeated('dimensions', config.dimensions)];
  if (errors.length > 0) throw invalidFields(errors);
  return config;
}

function repeated(list: string, keys: readonly string[]): FieldError[] {
  return keys.flatMap((key, index) =>
    keys.indexOf(key) === index
      ? []
      : [{ field: `config.${list}[${index}]`, message: `${key} is named before` }],
  );
}
