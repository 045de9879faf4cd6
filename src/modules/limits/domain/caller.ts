/** Who asks, as far as rate limits tell callers apart. */
import type { Principal } from '../../../kernel/principal.js';

/**
 * Someone whom no credentials name (a stranger), or whose credentials are not known to be right: each kind has a
 * window of its own for every network.
 */
export interface Stranger {
  readonly kind: 'stranger' | 'unproven';
  /** See ClientNetworks. */
  readonly network: string;
}

/** Someone whom a token names, of whom no workspace is asked: the free plan's limits of one person hold. */
export interface Person {
  readonly kind: 'person';
  readonly subject: string;
}

/** Someone whom right credentials name. */
export type KnownCaller = Principal | Person;
