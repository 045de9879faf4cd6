/** What somebody asks to have brought over. */
import { DomainError, listErrors, type FieldError } from '../../../kernel/domain-error.js';
import type { Spelling } from '../../../kernel/letter-case.js';
import { credentialFlaws } from './credential-fields.js';
import type { FileFacts } from './files/import-file.js';
import type { ImportConfig } from './import-job.js';
import type { CredentialProblem } from './import-source.js';
import type { Credentials, Platform } from './platform.js';

export interface ImportRequest {
  readonly platform: Platform;
  /** Null where none are given. */
  readonly credentials: Credentials | null;
  readonly config: ImportConfig;
}

/** What a source says of credentials' texts; null where they may be right. */
export type Judge = (credentials: Credentials) => CredentialProblem | null;

/**
 * The credentials that a job of the platform goes with: null for a file.
 * @throws DomainError validation_error where some are missing, invalid_field where they are wrong or of no use.
 */
export function fittingCredentials(
  platform: Platform,
  credentials: Credentials | null,
  judge: Judge,
): Credentials | null {
  const { missing, unknown } = credentialFlaws(platform, credentials);
  if (missing.length > 0) throw refusal('validation_error', missing, 'is required');
  if (unknown.length > 0) throw refusal('invalid_field', unknown, `is not a field of ${platform}`);
  const problem = credentials && judge(credentials);
  if (problem) throw refusal('invalid_field', [problem.field], problem.message);
  return credentials;
}

/**
 * The file that a job reads; null where it reads a platform.
 * @throws DomainError validation_error where a file is missing, invalid_field where one is of no use.
 */
export function fittingFile({ platform, config: { fileId } }: ImportRequest): string | null {
  if (platform === 'file' && fileId === null)
    throw refusal('validation_error', ['config.fileId'], 'is required');
  if (platform !== 'file' && fileId !== null)
    throw refusal('invalid_field', ['config.fileId'], 'is only valid for the platform file');
  return fileId;
}

/**
 * Whether the file has the columns that the mapping names. Only CSV has all of them in its first line: later records of JSON
 * may have fields that none before had, and what a platform has is not known before it is asked.
 * @throws DomainError invalid_field naming those that it has not.
 */
export function assertColumns(
  { format, columns }: Pick<FileFacts, 'format' | 'columns'>,
  { fieldMapping, fieldTypes = {} }: Pick<ImportConfig, 'fieldMapping' | 'fieldTypes'>,
): void {
  if (format !== 'csv') return;
  const known = new Set(columns);
  for (const [field, named] of Object.entries({ fieldMapping, fieldTypes })) {
    const unknown = Object.keys(named).filter((name) => !known.has(name));
    if (unknown.length === 0) continue;
    throw refusal(
      'invalid_field',
      unknown.slice(0, MOST_TOLD),
      'is not a column of the file',
      `config.${field}`,
    );
  }
}

/** Errors that are told at once. */
const MOST_TOLD = 100;

/**
 * @param fields in camelCase, which each face writes in its own way.
 * @param within what holds them, where their own names are the caller's and stay as they are.
 */
function refusal(
  code: 'validation_error' | 'invalid_field',
  fields: readonly string[],
  message: string,
  within?: string,
): DomainError {
  const written = (spell: Spelling, field: string): string =>
    within === undefined ? spell(field) : `${spell(within)}.${field}`;
  const errors = (spell: Spelling): FieldError[] =>
    fields.map((field) => ({ field: written(spell, field), message }));
  return new DomainError(
    code,
    (spell) => listErrors(errors(spell)),
    (spell) => ({ errors: errors(spell) }),
  );
}
