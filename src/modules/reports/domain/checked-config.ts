/** What a config must be beyond its shape, before it is stored: both faces, and whatever makes or changes a report, come by here. */
import { invalidFields } from '../../../kernel/domain-error.js';
import { configErrors } from './config-errors.js';
import type { ReportConfig } from './report.js';

/**
 * The config as it was given; one without metrics can be stored, and not be run.
 * @throws DomainError invalid_field that names what is wrong, such as `config.metrics[0]`.
 */
export function checkedConfig(config: ReportConfig): ReportConfig {
  const errors = configErrors(config);
  if (errors.length > 0) throw invalidFields(errors);
  return config;
}
