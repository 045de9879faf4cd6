/**
 * Bad credentials have a window of their own for each network, and it is asked before the key set and the database
 * are: whoever guesses costs nothing but the answer. Credentials that were right within the last hour are not asked,
 * so that they go on working beside one who guesses.
 */
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { DomainError } from '../../../kernel/domain-error.js';
import {
  assertAllowed,
  type RateDecision,
  RateLimitService,
} from '../../limits/application/rate-limit.service.js';

const MOST_PROVEN = 20_000;
/** Milliseconds. */
const PROVEN_FOR = 3_600_000;

/** Look-ups of one network that are under way. */
interface Asking {
  count: number;
  waiting: (() => void)[];
}

@Injectable()
export class CredentialWindow {
  private readonly proven = new LRUCache<string, true>({ max: MOST_PROVEN, ttl: PROVEN_FOR });
  private readonly asking = new Map<string, Asking>();

  constructor(private readonly rates: RateLimitService) {}

  /**
   * Looks credentials up, when their network may still be wrong.
   * @param network of the caller.
   * @param fingerprint of the credentials; it opens nothing.
   * @param tell is told of the window's state where the answer is a refusal.
   * @throws DomainError rate_limit_exceeded; whatever `ask` throws, which counts unless the fault is ours.
   */
  async pass<Result>(
    network: string,
    fingerprint: string,
    ask: () => Promise<Result>,
    tell: (decision: RateDecision) => void,
  ): Promise<Result> {
    const isProven = this.proven.has(fingerprint);
    if (!isProven) await this.turn(network, tell);
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
    const decision = this.rates.check({ kind: 'unproven', network }, undefined, Date.now());
    tell(decision);
    assertAllowed(decision);
  }

  /** Waits until one more wrong answer would still be within the window: they are not known until they are there. */
  private async turn(network: string, tell: (decision: RateDecision) => void): Promise<void> {
    for (;;) {
      const decision = this.rates.look({ kind: 'unproven', network }, undefined, Date.now());
      if (!decision.allowed) {
        tell(decision);
        assertAllowed(decision);
      }
      const asking = this.asking.get(network) ?? { count: 0, waiting: [] };
      this.asking.set(network, asking);
      if (asking.count < decision.remaining) {
        asking.count++;
        return;
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
