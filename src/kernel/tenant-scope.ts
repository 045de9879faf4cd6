/**
 * Who a piece of work is done for. Every repository takes one of these first, so that a query without a
 * tenant does not compile; platform/database turns it into the settings that row-level security reads.
 * Keeps section 1 of the specification: business data is isolated per workspace.
 */
export type Environment = 'live' | 'test';

export const ENVIRONMENTS: readonly Environment[] = ['live', 'test'];

/** One workspace, whatever the environment: templates, flows, members, billing. */
export interface WorkspaceScope {
  readonly workspaceId: string;
}

/** One workspace in one environment: contacts, events, trips, email logs. */
export interface TenantScope extends WorkspaceScope {
  readonly environment: Environment;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a text is a UUID in its usual form, in either case. */
export function isUuid(text: unknown): text is string {
  return typeof text === 'string' && UUID.test(text);
}

/** A map key that is equal for equal scopes. */
export function scopeKey(scope: TenantScope): string {
  return `${scope.workspaceId}:${scope.environment}`;
}
