/** Who is asking, once it is known: what guards establish and services may read. Sections 2.1 and 5. */
import type { Environment, TenantScope } from './tenant-scope.js';

export const ROLES = ['owner', 'admin', 'developer', 'marketing', 'operations', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

export const KEY_SCOPES = ['data', 'reporting', 'management', 'full'] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

/** Request rates that the operator gives one workspace, section 8.1; what is absent is unlimited. */
export interface CustomRates {
  /** Requests of one key or one person. */
  readonly perMinute?: number;
  readonly perHour?: number;
  /** Requests a minute of all keys together, by group of endpoints. */
  readonly general?: number;
  readonly events?: number;
  readonly send?: number;
}

interface Acting {
  readonly workspaceId: string;
  readonly environment: Environment;
  readonly plan: string;
  /** Hold where the plan leaves rates open. */
  readonly customRates: CustomRates;
}

/** Whom a token names: a person, member of any number of workspaces or of none. */
export interface Identity {
  readonly subject: string;
  /** The email that the provider has verified; undefined when it has not, or there is none. */
  readonly verifiedEmail: string | undefined;
  /** As the token has it, verified or not; may be empty. */
  readonly email: string;
  /** May be empty. */
  readonly name: string;
}

export interface KeyPrincipal extends Acting {
  readonly kind: 'api_key';
  readonly keyId: string;
  readonly scope: KeyScope;
  readonly rateLimitPerMinute: number | null;
}

export interface MemberPrincipal extends Acting {
  readonly kind: 'member';
  readonly memberId: string;
  readonly subject: string;
  readonly email: string;
  readonly role: Role;
}

export type Principal = KeyPrincipal | MemberPrincipal;

/** The tenant scope that a principal acts in. */
export function scopeOf(principal: Principal): TenantScope {
  return { workspaceId: principal.workspaceId, environment: principal.environment };
}

/** Who changes something, and from where: what records of changes keep. */
export interface Author {
  /**
   * A member's id, `api_key:` and the id of a key, `operator` on the command line, `billing` of a payment provider, or
   * `system` where nobody asked.
   */
  readonly actor: string;
  /** The network that the request came from; null for the command line. */
  readonly network: string | null;
}

/** Who works on the command line. */
export const BY_OPERATOR: Author = { actor: 'operator', network: null };

/** What a payment provider has told. */
export const BY_BILLING: Author = { actor: 'billing', network: null };

/** Time itself, or what others have changed. */
export const BY_ITSELF: Author = { actor: 'system', network: null };

/** How a principal is named in records such as `created_by`. */
export function actorOf(principal: Principal): string {
  return principal.kind === 'api_key' ? `api_key:${principal.keyId}` : principal.memberId;
}
