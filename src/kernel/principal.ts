/** The authenticated caller, set by guards and read by services. Sections 2.1 and 5. */
import type { Environment, TenantScope } from './tenant-scope.js';

export const ROLES = ['owner', 'admin', 'developer', 'marketing', 'operations', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

export const KEY_SCOPES = ['data', 'reporting', 'management', 'full'] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

/** Request rates that the operator sets for one workspace, section 8.1. An absent rate is unlimited. */
export interface CustomRates {
  /** Requests per minute of one key or one person. */
  readonly perMinute?: number;
  readonly perHour?: number;
  /** Requests per minute of all keys together, by endpoint group. */
  readonly general?: number;
  readonly events?: number;
  readonly send?: number;
}

interface PrincipalBase {
  readonly workspaceId: string;
  readonly environment: Environment;
  readonly plan: string;
  /** Apply if the plan does not define rates. */
  readonly customRates: CustomRates;
}

/** The person that a token identifies. A person may be a member of any number of workspaces, or of none. */
export interface Identity {
  readonly subject: string;
  /** The email that the provider has verified; undefined if it is unverified or missing. */
  readonly verifiedEmail: string | undefined;
  /** The email in the token, verified or not. May be empty. */
  readonly email: string;
  /** May be empty. */
  readonly name: string;
}

export interface KeyPrincipal extends PrincipalBase {
  readonly kind: 'api_key';
  readonly keyId: string;
  readonly scope: KeyScope;
  readonly rateLimitPerMinute: number | null;
}

export interface MemberPrincipal extends PrincipalBase {
  readonly kind: 'member';
  readonly memberId: string;
  readonly subject: string;
  readonly email: string;
  readonly role: Role;
}

export type Principal = KeyPrincipal | MemberPrincipal;

export function scopeOf(principal: Principal): TenantScope {
  return { workspaceId: principal.workspaceId, environment: principal.environment };
}

/** Who makes a change and from where. Audit records store it. */
export interface Author {
  /**
   * A member's id, `api_key:` and a key's id, `operator` for the command line, `billing` for a payment provider, or
   * `system` for a change that no caller requested.
   */
  readonly actor: string;
  /** The network of the request; null for the command line. */
  readonly network: string | null;
}

/** The author of changes from the command line. */
export const OPERATOR_AUTHOR: Author = { actor: 'operator', network: null };

/** The author of changes that a payment provider's notification causes. */
export const BILLING_AUTHOR: Author = { actor: 'billing', network: null };

/** The author of changes that the passing of time or other changes cause. */
export const SYSTEM_AUTHOR: Author = { actor: 'system', network: null };

/** The name of a principal in columns such as `created_by`. */
export function actorOf(principal: Principal): string {
  return principal.kind === 'api_key' ? `api_key:${principal.keyId}` : principal.memberId;
}
