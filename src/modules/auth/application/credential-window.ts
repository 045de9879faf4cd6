/**
 * Limits bad credentials with a rate window per network, checked before the key set and the database are queried.
 * Beyond it, a guess costs only the answer and, for a token, a signature check with cached keys. Credentials valid
 * within the last hour skip the window, so they work while another client guesses. If the window is exhausted, a
 * person whose token is valid by cached keys has a separate one, so that a fresh token still passes.
 */
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { DomainError } from '../../../kernel/domain-error.js';
import { NetworkRates } from '../../limits/application/network-rates.js';
import { assertAllowed, type RateDecision } from '../../limits/domain/rate-decision.js';

const MAX_PROVEN_CREDENTIALS = 20_000;
/** How long credentials count as proven, in milliseconds. */
const PROVEN_TTL_MS = 3_600_000;

/** The client that presents credentials. */
export interface CredentialBearer {
  /** The network of the caller. */
  readonly network: string;
  /** Of the credentials; grants no access. */
  readonly fingerprint: string;
  /** The person that the credentials prove without a remote call or query; undefined if a look-up is needed. */
  readonly provenSubject: () => Promise<string | undefined>;
  /** Receives the window's state if the answer is a refusal. */
  readonly report: (decision: RateDecision) => void;
}

/** Look-ups of one network that are under way. */
interface PendingLookups {
  count: number;
  waiting: (() => void)[];
}

@Injectable()
export class CredentialWindow {
  private readonly proven = new LRUCache<string, true>({ max: MAX_PROVEN_CREDENTIALS, ttl: PROVEN_TTL_MS });
  private readonly lookups = new Map<string, PendingLookups>();

  constructor(private readonly rates: NetworkRates) {}

  /**
   * Looks credentials up if they may still be invalid.
   * @throws DomainError rate_limit_exceeded; any error of `lookUp`, which counts unless it is a server error.
   */
  async pass<Result>(bearer: CredentialBearer, lookUp: () => Promise<Result>): Promise<Result> {
    const { fingerprint, report } = bearer;
    const isProven = this.proven.has(fingerprint);
    const network = isProven ? bearer.network : await this.acquireWindow(bearer);
    try {
      const result = await lookUp();
      this.proven.set(fingerprint, true);
      return result;
    } catch (error) {
      if (error instanceof DomainError && error.status < 500) {
        this.proven.delete(fingerprint);
        this.countRejected(network, report);
      }
      throw error;
    } finally {
      if (!isProven) this.releaseLookup(network);
    }
  }

  /**
   * Counts credentials that were refused.
   * @throws DomainError rate_limit_exceeded instead of the refusal, if there were too many.
   */
  countRejected(network: string, report: (decision: RateDecision) => void): void {
    const decision = this.rates.check({ kind: 'unproven', network }, Date.now());
    report(decision);
    assertAllowed(decision);
  }

  /**
   * Waits for a look-up within the network's window or, if that is exhausted, within the window of the person that
   * the credentials prove.
   * @returns the window, as a network.
   */
  private async acquireWindow({ network, provenSubject, report }: CredentialBearer): Promise<string> {
    const rejection = await this.acquireLookup(network);
    if (!rejection) return network;
    const person = await provenSubject();
    const personWindow = `person ${person ?? ''}`;
    const decision = person === undefined ? rejection : await this.acquireLookup(personWindow);
    if (decision) {
      report(decision);
      assertAllowed(decision);
    }
    return personWindow;
  }

  /**
   * Waits until one more failure would still be within the window. Look-ups under way count as failures until they
   * end.
   * @returns the refusal, if there were too many failures.
   */
  private async acquireLookup(network: string): Promise<RateDecision | undefined> {
    for (;;) {
      const decision = this.rates.peek({ kind: 'unproven', network }, Date.now());
      if (!decision.allowed) return decision;
      const pending = this.lookups.get(network) ?? { count: 0, waiting: [] };
      this.lookups.set(network, pending);
      if (pending.count < decision.remaining) {
        pending.count++;
        return undefined;
      }
      await new Promise<void>((resolve) => pending.waiting.push(resolve));
    }
  }

  private releaseLookup(network: string): void {
    const pending = this.lookups.get(network);
    if (!pending) return;
    pending.count--;
    for (const resolve of pending.waiting.splice(0)) resolve();
    if (pending.count === 0) this.lookups.delete(network);
  }
}
