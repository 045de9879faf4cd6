/**
 * The session settings that a transaction sets and that the policies of tenant tables read. The migrations repeat them,
 * because they are frozen; test/contract/schema.spec.ts verifies for every table that both agree.
 */
import {
  isUuid,
  type Environment,
  type TenantScope,
  type WorkspaceScope,
} from '../../kernel/tenant-scope.js';
import { setStatementTimeoutSql, READ_TIMEOUT_MS } from './time-limits.js';

const ENVIRONMENT: Readonly<Record<Environment, string>> = { live: 'live', test: 'test' };

/**
 * The statement that moves a transaction to the scope. Its values are inlined, which is safe because they are validated
 * as a UUID and one of two words.
 * @throws TypeError if the workspace is not a UUID: guards and jobs create scopes, never a caller.
 */
export function enterScopeSql(scope: WorkspaceScope | TenantScope): string {
  if (!isUuid(scope.workspaceId)) throw new TypeError('A tenant scope needs a workspace UUID.');
  const environment = 'environment' in scope ? ENVIRONMENT[scope.environment] : '';
  return `SELECT set_config('app.workspace_id', '${scope.workspaceId}', true), set_config('app.environment', '${environment}', true)`;
}

/** Begins a transaction of the scope in one round trip. */
export function beginInScopeSql(scope: WorkspaceScope | TenantScope): string {
  return `BEGIN; ${enterScopeSql(scope)}`;
}

/** The same for a read-only transaction whose result a caller waits for. */
export function beginReadOnlySql(scope: WorkspaceScope | TenantScope): string {
  return `BEGIN READ ONLY; ${setStatementTimeoutSql(READ_TIMEOUT_MS)}; ${enterScopeSql(scope)}`;
}
