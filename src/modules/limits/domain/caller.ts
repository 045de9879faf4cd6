/** Who calls, as far as rate limits distinguish callers. */
import type { Principal } from '../../../kernel/principal.js';

/**
 * A caller without credentials (`stranger`), or with credentials that are not verified yet: each kind has its own
 * window per network.
 */
export interface AnonymousCaller {
  readonly kind: 'stranger' | 'unproven';
  /** See ClientNetworks. */
  readonly network: string;
}

/** The user of a token, in a request without a workspace: the free plan's limits per user apply. */
export interface Person {
  readonly kind: 'person';
  readonly subject: string;
}

/** A caller with valid credentials. */
export type KnownCaller = Principal | Person;
