/**
 * Which role may do what, and which scope of an API key reaches what: sections 2.1 and 5, and "Key scopes" of the
 * operations page. Where the specification is ambiguous, the most restrictive reading applies.
 */
import { KEY_SCOPES, ROLES, type KeyScope, type Role } from '../../../kernel/principal.js';

export const PERMISSIONS = [
  'members:read',
  'members:write',
  'flows:read',
  'flows:write',
  'templates:read',
  'templates:write',
  'analytics:read',
  'inspect:read',
  'inspect:write',
  'events:write',
  'contacts:read',
  'contacts:write',
  'segments:read',
  'segments:write',
  'email_logs:read',
  'email_logs:write',
  'campaigns:read',
  'campaigns:write',
  'domains:read',
  'domains:write',
  'billing:write',
] as const;
export type Permission = (typeof PERMISSIONS)[number];

const ROLE_PERMISSIONS: Readonly<Record<Role, ReadonlySet<Permission>>> = {
  owner: new Set(PERMISSIONS),
  admin: new Set(PERMISSIONS.filter((permission) => permission !== 'billing:write')),
  developer: new Set<Permission>([
    'flows:read',
    'flows:write',
    'templates:read',
    'templates:write',
    'contacts:read',
    'contacts:write',
    'segments:read',
    'segments:write',
    'events:write',
    'inspect:read',
    'inspect:write',
    'domains:read',
  ]),
  marketing: new Set<Permission>([
    'flows:read',
    'flows:write',
    'templates:read',
    'templates:write',
    'inspect:read',
    'inspect:write',
    'segments:read',
    'segments:write',
    'analytics:read',
    'campaigns:read',
    'campaigns:write',
  ]),
  operations: new Set<Permission>(['analytics:read', 'contacts:read', 'email_logs:read', 'email_logs:write']),
  viewer: new Set<Permission>(['analytics:read']),
};

/** The matrix for printing: the roles that have each permission, and the keys that reach each scope of a route. */
export function permissionMatrix(): {
  readonly permissions: Readonly<Record<string, readonly Role[]>>;
  readonly keyScopes: Readonly<Record<string, readonly KeyScope[]>>;
} {
  return {
    permissions: Object.fromEntries(
      PERMISSIONS.map((permission) => [permission, ROLES.filter((role) => roleAllows(role, permission))]),
    ),
    keyScopes: Object.fromEntries(KEY_SCOPES.map((scope) => [scope, scopesAllowing([scope])])),
  };
}

/** Whether members with this role have the permission. */
export function roleAllows(role: Role, permission: Permission): boolean {
  return ROLE_PERMISSIONS[role].has(permission);
}

/** Whether the permission changes something, so that a read-only workspace rejects it. */
export function isWriting(permission: Permission): boolean {
  // Paying is how a suspended workspace becomes active again.
  return permission.endsWith(':write') && permission !== 'billing:write';
}

/**
 * The key scopes that reach a route of these scopes: `full` reaches all that a key may, and `management` all that
 * `data` does.
 */
export function scopesAllowing(routeScopes: readonly KeyScope[]): readonly KeyScope[] {
  const allowing = new Set<KeyScope>(routeScopes);
  if (allowing.has('data')) allowing.add('management');
  allowing.add('full');
  return [...allowing];
}
