/** A request to import contacts, and its validation. */
import { DomainError, listErrors, type FieldError } from '../../../kernel/domain-error.js';
import type { Spelling } from '../../../kernel/letter-case.js';
import { credentialFlaws } from './credential-fields.js';
import type { FileFormatInfo } from './files/import-file.js';
import type { ImportConfig } from './import-job.js';
import type { CredentialProblem } from './import-source.js';
import type { Credentials, Platform } from './platform.js';

export interface ImportRequest {
  readonly platform: Platform;
  /** Null if none are given. */
  readonly credentials: Credentials | null;
  readonly config: ImportConfig;
}

/** A source's check of credentials' texts; null if they may be valid. */
export type CredentialCheck = (credentials: Credentials) => CredentialProblem | null;

/**
 * The credentials for a job of the platform; null for a file.
 * @throws DomainError validation_error if some are missing, invalid_field if they are invalid or not accepted.
 */
export function validCredentials(
  platform: Platform,
  credentials: Credentials | null,
  check: CredentialCheck,
): Credentials | null {
  const { missing, unknown } = credentialFlaws(platform, credentials);
  if (missing.length > 0) throw invalidRequest('validation_error', missing, 'is required');
  if (unknown.length > 0) throw invalidRequest('invalid_field', unknown, `is not a field of ${platform}`);
  const problem = credentials && check(credentials);
  if (problem) throw invalidRequest('invalid_field', [problem.field], problem.message);
  return credentials;
}

/**
 * The file that a job reads; null if it reads a platform.
 * @throws DomainError validation_error if a file is missing, invalid_field if one is given but not used.
 */
export function validFileId({ platform, config: { fileId } }: ImportRequest): string | null {
  if (platform === 'file' && fileId === null)
    throw invalidRequest('validation_error', ['config.fileId'], 'is required');
  if (platform !== 'file' && fileId !== null)
    throw invalidRequest('invalid_field', ['config.fileId'], 'is only valid for the platform file');
  return fileId;
}

/**
 * Checks that the file has the columns that the mapping names. Only for CSV, whose first line has all of them: later
 * records of JSON may have new fields, and the fields of a platform are unknown before it is queried.
 * @throws DomainError invalid_field naming the missing ones.
 */
export function assertColumns(
  { format, columns }: Pick<FileFormatInfo, 'format' | 'columns'>,
  { fieldMapping, fieldTypes = {} }: Pick<ImportConfig, 'fieldMapping' | 'fieldTypes'>,
): void {
  if (format !== 'csv') return;
  const known = new Set(columns);
  for (const [field, named] of Object.entries({ fieldMapping, fieldTypes })) {
    const unknown = Object.keys(named).filter((name) => !known.has(name));
    if (unknown.length === 0) continue;
    throw invalidRequest(
      'invalid_field',
      unknown.slice(0, MAX_REPORTED_FIELDS),
      'is not a column of the file',
      `config.${field}`,
    );
  }
}

/** Errors that one response reports. */
const MAX_REPORTED_FIELDS = 100;

/**
 * @param fields in camelCase, which REST and GraphQL each convert.
 * @param within the parent field, if the fields' names come from the caller and stay unchanged.
 */
function invalidRequest(
  code: 'validation_error' | 'invalid_field',
  fields: readonly string[],
  message: string,
  within?: string,
): DomainError {
  const fieldName = (spell: Spelling, field: string): string =>
    within === undefined ? spell(field) : `${spell(within)}.${field}`;
  const errors = (spell: Spelling): FieldError[] =>
    fields.map((field) => ({ field: fieldName(spell, field), message }));
  return new DomainError(
    code,
    (spell) => listErrors(errors(spell)),
    (spell) => ({ errors: errors(spell) }),
  );
}
