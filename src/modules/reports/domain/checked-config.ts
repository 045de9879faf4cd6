/**
 * Validates a config beyond its shape before it is stored. REST, GraphQL and everything else that creates or changes a
 * report calls it.
 */
import { invalidFields } from '../../../kernel/domain-error.js';
import { configErrors } from './config-errors.js';
import type { ReportConfig } from './report.js';

/**
 * Returns the config unchanged. A config without metrics can be stored, but not run.
 * @throws DomainError invalid_field with the path of the error, such as `config.metrics[0]`.
 */
export function checkedConfig(config: ReportConfig): ReportConfig {
  const errors = configErrors(config);
  if (errors.length > 0) throw invalidFields(errors);
  return config;
}
