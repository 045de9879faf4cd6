/** What somebody asks to have brought over. */
import { DomainError, listErrors, type FieldError } from '../../../kernel/domain-error.js';
import { camelCase, snakeCase, type Spelling } from '../../../kernel/letter-case.js';
import { credentialFlaws } from './credential-fields.js';
import type { ImportConfig } from './import-job.js';
import type { Credentials, Platform } from './platform.js';

export interface ImportRequest {
  readonly platform: Platform;
  /** Null where none are given. */
  readonly credentials: Credentials | null;
  readonly config: ImportConfig;
}

/** What a source says of credentials' texts; null where they may be right. */
export type Judge = (credentials: Credentials) => string | null;

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
  if (platform === 'file') return null;
  const problem = credentials && judge(credentials);
  if (problem === null) return credentials;
  const [, field = 'credentials', message = problem] = /^(credentials[\w.]*) (.+)$/s.exec(problem) ?? [];
  throw refusal('invalid_field', [field.startsWith('credentials.extra') ? field : camelCase(field)], message);
}

/**
 * The file that a job reads; null where it reads a platform.
 * @throws DomainError validation_error where a file is missing, invalid_field where one is of no use.
 */
export function fittingFile({ platform, config: { fileId } }: ImportRequest): string | null {
  if (platform === 'file' && fileId === null)
    throw refusal('validation_error', ['config.fileId'], 'is required');
  if (platform !== 'file' && fileId !== null)
    throw refusal('invalid_field', ['config.fileId'], 'is of the platform file alone');
  return fileId;
}

/** @param fields in camelCase, which each face writes in its own way. */
function refusal(
  code: 'validation_error' | 'invalid_field',
  fields: readonly string[],
  message: string,
): DomainError {
  const errors = (spell: Spelling): FieldError[] => fields.map((field) => ({ field: spell(field), message }));
  return new DomainError(code, listErrors(errors(snakeCase)), (spell) => ({ errors: errors(spell) }));
}
