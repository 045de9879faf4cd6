/**
 * The settings that a transaction gives and that the policies of the tenant tables read. Kept in one place, so
 * that code and migrations cannot disagree about their names.
 */
import {
  isUuid,
  type Environment,
  type TenantScope,
  type WorkspaceScope,
} from '../../kernel/tenant-scope.js';
import { allow, READING } from './time-limits.js';

/**
 * `app.workspace_id` as a policy reads it; null, which equals nothing, where none is set. A sub-select, so that it is
 * read once for each statement and not for each row.
 */
export const CURRENT_WORKSPACE = `(SELECT nullif(current_setting('app.workspace_id', true), '')::uuid)`;

/** `app.environment` as a policy reads it. */
export const CURRENT_ENVIRONMENT = `(SELECT nullif(current_setting('app.environment', true), ''))`;

/** The digest of the API key that the caller holds, while it is being looked up. */
export const CURRENT_KEY_HASH = `nullif(current_setting('app.key_hash', true), '')`;

/** The caller's subject at the identity provider, while memberships are being looked up. */
export const CURRENT_SUBJECT = `nullif(current_setting('app.identity_subject', true), '')`;

/** The caller's verified email in lower case, while memberships are being looked up. */
export const CURRENT_EMAIL_KEY = `nullif(current_setting('app.identity_email', true), '')`;

const ENVIRONMENT: Readonly<Record<Environment, string>> = { live: 'live', test: 'test' };

/**
 * The statement that makes a transaction one of the scope. The values stand in its text, which is safe since they are
 * checked to be a UUID and one of two words.
 * @throws TypeError when the workspace is not a UUID: a scope is made by guards and jobs, never by a caller.
 */
export function enterScope(scope: WorkspaceScope | TenantScope): string {
  if (!isUuid(scope.workspaceId)) throw new TypeError('A tenant scope needs a workspace that is a UUID.');
  const environment = 'environment' in scope ? ENVIRONMENT[scope.environment] : '';
  return `SELECT set_config('app.workspace_id', '${scope.workspaceId}', true), set_config('app.environment', '${environment}', true)`;
}

/** Opens a transaction of the scope, in one round trip. */
export function beginInScope(scope: WorkspaceScope | TenantScope): string {
  return `BEGIN; ${enterScope(scope)}`;
}

/** The same for a transaction that writes nothing and whose statements somebody waits for. */
export function beginReading(scope: WorkspaceScope | TenantScope): string {
  return `BEGIN READ ONLY; ${allow(READING)}; ${enterScope(scope)}`;
}
