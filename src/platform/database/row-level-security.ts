/**
 * The settings that a transaction gives and that the policies of the tenant tables read. The migrations spell them out
 * once more, since they are frozen; test/contract/schema.spec.ts proves for every table that the two agree.
 */
import {
  isUuid,
  type Environment,
  type TenantScope,
  type WorkspaceScope,
} from '../../kernel/tenant-scope.js';
import { allow, READING } from './time-limits.js';

const ENVIRONMENT: Readonly<Record<Environment, string>> = { live: 'live', test: 'test' };

/**
 * The statement that makes a transaction one of the scope. The values stand in its text, which is safe since they are
 * checked to be a UUID and one of two words.
 * @throws TypeError when the workspace is not a UUID: a scope is made by guards and jobs, never by a caller.
 */
export function enterScope(scope: WorkspaceScope | TenantScope): string {
  if (!isUuid(scope.workspaceId)) throw new TypeError('A tenant scope needs a workspace UUID.');
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
