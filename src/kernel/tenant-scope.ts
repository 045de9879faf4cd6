/**
 * The tenant that an operation runs for. Every repository takes a scope as its first argument, so that a query without
 * a tenant does not compile. platform/database converts it to the settings that row-level security reads. This enforces
 * section 1 of the specification: business data is isolated per workspace.
 */
export type Environment = 'live' | 'test';

export const ENVIRONMENTS: readonly Environment[] = ['live', 'test'];

/** One workspace, in all environments: templates, flows, members, billing. */
export interface WorkspaceScope {
  readonly workspaceId: string;
}

/** One workspace in one environment: contacts, events, trips, email logs. */
export interface TenantScope extends WorkspaceScope {
  readonly environment: Environment;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a text is a UUID in its usual form, in upper or lower case. */
export function isUuid(text: unknown): text is string {
  return typeof text === 'string' && UUID.test(text);
}

/** A map key; equal scopes have equal keys. */
export function scopeKey(scope: TenantScope): string {
  return `${scope.workspaceId}:${scope.environment}`;
}
