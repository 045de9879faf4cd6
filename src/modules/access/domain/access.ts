/**
 * Whether an established caller may pass a rule, sections 2.1, 5 and 7.2, and with which words it is refused.
 * The order of the questions is part of the contract: plane, scope or role, permission, then the workspace's state.
 */
import { DomainError } from '../../../kernel/domain-error.js';
import type { KeyPrincipal, KeyScope, MemberPrincipal, Principal, Role } from '../../../kernel/principal.js';
import { isWriting, mayRole, type Permission, scopesReaching } from './permission.js';

/** What a route or resolver asks of its caller. */
export interface AccessRule {
  /** What members need by the matrix of roles; absent means that any active member may call. */
  readonly permission?: Permission;
  /** The only roles of members that may call, where the endpoint is bound to roles and not to a permission. */
  readonly roles?: readonly Role[];
  /**
   * API keys of these scopes may call; full may always, and management wherever data may. Absent means that the
   * route belongs to the dashboard and no key may call.
   */
  readonly keyScopes?: readonly KeyScope[];
  /** Contact writes answer a key without the scope in their own way (`scope_forbidden`). */
  readonly contactWrite?: boolean;
  /** Something is changed, though the endpoint is bound to no permission: refused in a workspace that is read-only. */
  readonly isWriting?: boolean;
}

export interface AccessContext {
  /** The workspace is read-only. */
  readonly suspended: boolean;
  /** Where people do what keys may not. */
  readonly dashboardUrl: string;
}

/** The refusal of a caller by a rule; undefined when it may pass. */
export function refusalOf(
  principal: Principal,
  rule: AccessRule,
  context: AccessContext,
): DomainError | undefined {
  const refusal =
    principal.kind === 'api_key' ? keyRefusal(principal, rule, context) : memberRefusal(principal, rule);
  if (refusal) return refusal;
  const changes = rule.isWriting ?? (rule.permission !== undefined && isWriting(rule.permission));
  if (context.suspended && changes)
    return new DomainError(
      'workspace_suspended',
      'The workspace is read-only: its payment is overdue or its deletion is scheduled.',
    );
  return undefined;
}

/** Whether a member has a permission, for what is only known once a handler has begun; keys have none. */
export function isPermitted(principal: Principal, permission: Permission): boolean {
  return principal.kind === 'member' && mayRole(principal.role, permission);
}

/**
 * As `isPermitted`, behind a rule that lets members pass alone.
 * @throws DomainError missing_permission.
 */
export function assertPermitted(principal: Principal, permission: Permission): void {
  if (!isPermitted(principal, permission)) throw missing(permission);
}

/** Who may read contacts, in whatever else they are shown. */
const READ_CONTACTS: AccessRule = { permission: 'contacts:read', keyScopes: ['data'] };

/** Whether contacts are shown to the caller with their addresses. */
export function mayReadContacts(principal: Principal): boolean {
  return refusalOf(principal, READ_CONTACTS, { suspended: false, dashboardUrl: '' }) === undefined;
}

/**
 * Refuses what tells of contacts' addresses to whoever is not shown them.
 * @throws DomainError missing_permission.
 */
export function assertReadsContacts(principal: Principal): void {
  if (!mayReadContacts(principal)) throw missing('contacts:read');
}

function keyRefusal(
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
  const scopes = scopesReaching(rule.keyScopes);
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

function memberRefusal(
  { role }: MemberPrincipal,
  { roles, permission }: AccessRule,
): DomainError | undefined {
  if (roles && !roles.includes(role))
    return new DomainError('insufficient_role', `This requires the role ${roles.join(' or ')}.`, {
      required_roles: roles,
      your_role: role,
    });
  if (permission !== undefined && !mayRole(role, permission)) return missing(permission);
  return undefined;
}

/** The refusal of a member that has no such permission. */
export function missing(permission: Permission): DomainError {
  return new DomainError('missing_permission', `This requires the permission ${permission}.`, {
    required_permission: permission,
  });
}
