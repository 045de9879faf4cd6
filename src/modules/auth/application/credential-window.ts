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

const MOST_PROVEN = 20_000;
/** How long credentials count as proven, in milliseconds. */
const PROVEN_FOR = 3_600_000;

/** The client that presents credentials. */
export interface Bearer {
  /** The network of the caller. */
  readonly network: string;
  /** Of the credentials; grants no access. */
  readonly fingerprint: string;
  /** The person that the credentials prove without a remote call or query; undefined if a look-up is needed. */
  readonly shown: () => Promise<string | undefined>;
  /** Receives the window's state if the answer is a refusal. */
  readonly tell: (decision: RateDecision) => void;
}

/** Look-ups of one network that are under way. */
interface Asking {
  count: number;
  waiting: (() => void)[];
}

@Injectable()
export class CredentialWindow {
  private readonly proven = new LRUCache<string, true>({ max: MOST_PROVEN, ttl: PROVEN_FOR });
  private readonly asking = new Map<string, Asking>();

  constructor(private readonly rates: NetworkRates) {}

  /**
   * Looks credentials up if they may still be invalid.
   * @throws DomainError rate_limit_exceeded; any error of `ask`, which counts unless it is a server error.
   */
  async pass<Result>(bearer: Bearer, ask: () => Promise<Result>): Promise<Result> {
    const { fingerprint, tell } = bearer;
    const isProven = this.proven.has(fingerprint);
    const network = isProven ? bearer.network : await this.windowFor(bearer);
    try {
      const result = await ask();
      this.proven.set(fingerprint, true);
      return result;
    } catch (error) {
      if (error instanceof DomainError && error.status < 500) {
        this.proven.delete(fingerprint);
        this.refused(network, tell);
      }
      throw error;
    } finally {
      if (!isProven) this.release(network);
    }
  }

  /**
   * Counts credentials that were refused.
   * @throws DomainError rate_limit_exceeded instead of the refusal, if there were too many.
   */
  refused(network: string, tell: (decision: RateDecision) => void): void {
    const decision = this.rates.check({ kind: 'unproven', network }, Date.now());
    tell(decision);
    assertAllowed(decision);
  }

  /**
   * Waits for a look-up within the network's window or, if that is exhausted, within the window of the person that
   * the credentials prove.
   * @returns the window, as a network.
   */
  private async windowFor({ network, shown, tell }: Bearer): Promise<string> {
    const refusal = await this.turn(network);
    if (!refusal) return network;
    const person = await shown();
    const own = `person ${person ?? ''}`;
    const decision = person === undefined ? refusal : await this.turn(own);
    if (decision) {
      tell(decision);
      assertAllowed(decision);
    }
    return own;
  }

  /**
   * Waits until one more failure would still be within the window. Look-ups under way count as failures until they
   * end.
   * @returns the refusal, if there were too many failures.
   */
  private async turn(network: string): Promise<RateDecision | undefined> {
    for (;;) {
      const decision = this.rates.look({ kind: 'unproven', network }, Date.now());
      if (!decision.allowed) return decision;
      const asking = this.asking.get(network) ?? { count: 0, waiting: [] };
      this.asking.set(network, asking);
      if (asking.count < decision.remaining) {
        asking.count++;
        return undefined;
      }
      await new Promise<void>((resolve) => asking.waiting.push(resolve));
    }
  }

  private release(network: string): void {
    const asking = this.asking.get(network);
    if (!asking) return;
    asking.count--;
    for (const resolve of asking.waiting.splice(0)) resolve();
    if (asking.count === 0) this.asking.delete(network);
  }
}
