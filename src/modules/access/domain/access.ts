/**
 * Whether an authenticated caller satisfies an access rule, sections 2.1, 5 and 7.2, and the error if it does not. The
 * order of the checks is part of the contract: plane, scope or role, permission, then the workspace's state.
 */
import { DomainError } from '../../../kernel/domain-error.js';
import type { KeyPrincipal, KeyScope, MemberPrincipal, Principal, Role } from '../../../kernel/principal.js';
import { isWriting, roleAllows, type Permission, scopesAllowing } from './permission.js';

/** What a route or resolver requires of its caller. */
export interface AccessRule {
  /** The permission that members need; without it, any active member may call. */
  readonly permission?: Permission;
  /** The only roles that may call, for endpoints that are bound to roles and not to a permission. */
  readonly roles?: readonly Role[];
  /**
   * API keys with these scopes may call; `full` always may, and `management` wherever `data` may. Without it, the route
   * belongs to the dashboard and no key may call.
   */
  readonly keyScopes?: readonly KeyScope[];
  /** Contact writes have their own error for a key without the scope (`scope_forbidden`). */
  readonly contactWrite?: boolean;
  /** The endpoint changes something although it is bound to no permission: rejected in a read-only workspace. */
  readonly isWriting?: boolean;
}

export interface AccessContext {
  /** The workspace is read-only. */
  readonly suspended: boolean;
  /** Where people can do what keys may not. */
  readonly dashboardUrl: string;
}

/** The error for a caller that violates a rule; undefined if it may call. */
export function accessError(
  principal: Principal,
  rule: AccessRule,
  context: AccessContext,
): DomainError | undefined {
  const error =
    principal.kind === 'api_key'
      ? keyAccessError(principal, rule, context)
      : memberAccessError(principal, rule);
  if (error) return error;
  const isChange = rule.isWriting ?? (rule.permission !== undefined && isWriting(rule.permission));
  if (context.suspended && isChange)
    return new DomainError(
      'workspace_suspended',
      'The workspace is read-only: its payment is overdue or its deletion is scheduled.',
    );
  return undefined;
}

/** Whether a member has a permission, for checks inside a handler. Keys have none. */
export function isPermitted(principal: Principal, permission: Permission): boolean {
  return principal.kind === 'member' && roleAllows(principal.role, permission);
}

/**
 * As `isPermitted`, after a rule that admits only members.
 * @throws DomainError missing_permission.
 */
export function assertPermitted(principal: Principal, permission: Permission): void {
  if (!isPermitted(principal, permission)) throw missingPermission(permission);
}

/** Permission to read contacts, also where they appear inside other data. */
const READ_CONTACTS: AccessRule = { permission: 'contacts:read', keyScopes: ['data'] };

/** Whether the caller may see contacts with their addresses. */
export function mayReadContacts(principal: Principal): boolean {
  return accessError(principal, READ_CONTACTS, { suspended: false, dashboardUrl: '' }) === undefined;
}

/**
 * Rejects output that contains contacts' addresses for callers who may not see them.
 * @throws DomainError missing_permission.
 */
export function assertReadsContacts(principal: Principal): void {
  if (!mayReadContacts(principal)) throw missingPermission('contacts:read');
}

function keyAccessError(
  key: KeyPrincipal,
  rule: AccessRule,
  { dashboardUrl }: AccessContext,
): DomainError | undefined {
  if (!rule.keyScopes)
    return new DomainError(
      'control_plane_only',
      'This endpoint is not available to API keys: use the dashboard.',
      {
        dashboard_url: dashboardUrl,
      },
    );
  const scopes = scopesAllowing(rule.keyScopes);
  if (scopes.includes(key.scope)) return undefined;
  if (rule.contactWrite)
    return new DomainError('scope_forbidden', `A key with the scope ${key.scope} cannot write contacts.`, {
      required_scope: rule.keyScopes[0],
    });
  return new DomainError(
    'insufficient_scope',
    `The scope of the key does not cover this endpoint: it requires ${scopes.join(' or ')}.`,
    {
      required_scopes: scopes,
      your_scopes: [key.scope],
    },
  );
}

function memberAccessError(
  { role }: MemberPrincipal,
  { roles, permission }: AccessRule,
): DomainError | undefined {
  if (roles && !roles.includes(role))
    return new DomainError('insufficient_role', `This requires the role ${roles.join(' or ')}.`, {
      required_roles: roles,
      your_role: role,
    });
  if (permission !== undefined && !roleAllows(role, permission)) return missingPermission(permission);
  return undefined;
}

/** The error for a member without this permission. */
export function missingPermission(permission: Permission): DomainError {
  return new DomainError('missing_permission', `This requires the permission ${permission}.`, {
    required_permission: permission,
  });
}
