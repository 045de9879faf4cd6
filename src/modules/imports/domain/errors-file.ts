/** A job's errors as CSV, to be used alongside the file that has to be corrected. */
import { csvLine } from '../../../kernel/csv-line.js';
import type { ImportError } from './import-error.js';

export function errorsFile(errors: readonly ImportError[]): string {
  const lines = errors.map(({ row, externalId, code, detail }) =>
    csvLine([String(row), externalId ?? '', code, detail]),
  );
  return ['row,external_id,code,detail\r\n', ...lines].join('');
}
