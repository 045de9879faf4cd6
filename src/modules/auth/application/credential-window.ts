/**
 * Bad credentials have a window of their own for each network, and it is asked before the key set and the database
 * are: beyond it whoever guesses costs the answer, and of a token a look at its signature by the keys at hand.
 * Credentials that were right within the last hour are not asked, so that they go on working beside one who guesses.
 * Where the window of a network is closed, a person whose token shows by itself who that is has one of their own, so
 * that the first request of a fresh token passes, too.
 */
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { DomainError } from '../../../kernel/domain-error.js';
import { NetworkRates } from '../../limits/application/network-rates.js';
import { assertAllowed, type RateDecision } from '../../limits/domain/rate-decision.js';

const MOST_PROVEN = 20_000;
/** Milliseconds. */
const PROVEN_FOR = 3_600_000;

/** Who brings credentials. */
export interface Bearer {
  /** Of the caller. */
  readonly network: string;
  /** Of the credentials; it opens nothing. */
  readonly fingerprint: string;
  /** Whom the credentials show without anybody's being asked; undefined when that is to be looked up. */
  readonly shown: () => Promise<string | undefined>;
  /** Is told of the window's state where the answer is a refusal. */
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
   * Looks credentials up, when their bearer may still be wrong.
   * @throws DomainError rate_limit_exceeded; whatever `ask` throws, which counts unless the fault is ours.
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
   * @throws DomainError rate_limit_exceeded in place of the refusal, when there were too many.
   */
  refused(network: string, tell: (decision: RateDecision) => void): void {
    const decision = this.rates.check({ kind: 'unproven', network }, Date.now());
    tell(decision);
    assertAllowed(decision);
  }

  /**
   * Waits for a turn in the network's window; where that is closed, in the one of whom the credentials show.
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
   * Waits until one more wrong answer would still be within the window: they are not known until they are there.
   * @returns what refuses, when there were too many.
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
