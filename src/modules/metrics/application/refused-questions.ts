/**
 * Questions that were refused lately since they cost too much, for as long as an answer would be kept: whoever asks one again
 * has the same answer, and the database is not asked. Keys begin with the tenant, so that nobody hears of another's.
 */
import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Clock } from '../../../kernel/clock.js';
import { DomainError } from '../../../kernel/domain-error.js';
import { MINUTE } from '../../../kernel/duration.js';
import { scopeKey, type TenantScope } from '../../../kernel/tenant-scope.js';

const LIFETIME = 5 * MINUTE;
const MOST_KEPT = 10_000;

interface Refusal {
  readonly error: DomainError;
  readonly at: number;
}

@Injectable()
export class RefusedQuestions {
  private readonly refusals = new LRUCache<string, Refusal>({ max: MOST_KEPT });

  constructor(private readonly clock: Clock) {}

  /**
   * Asks, unless the same question was refused a short while ago.
   * @param question plain values; moments in it that move with the time count as the same for five minutes.
   * @throws DomainError work_too_costly; whatever `ask` throws.
   */
  async ask<Answer>(scope: TenantScope, question: object, ask: () => Promise<Answer>): Promise<Answer> {
    // A digest, since filters may be long.
    const digest = createHash('sha256').update(JSON.stringify(question, coarse)).digest('base64');
    const key = `${scopeKey(scope)} ${digest}`;
    const now = this.clock.now().getTime();
    const known = this.refusals.get(key);
    if (known && now >= known.at && now - known.at < LIFETIME) throw known.error;
    try {
      return await ask();
    } catch (error) {
      if (error instanceof DomainError && error.code === 'work_too_costly')
        this.refusals.set(key, { error, at: now });
      throw error;
    }
  }
}

/** Of a moment, which five minutes it lies in. `JSON.stringify` has made a text of it already. */
function coarse(this: Record<string, unknown>, name: string, value: unknown): unknown {
  const own = this[name];
  return own instanceof Date ? Math.floor(own.getTime() / LIFETIME) : value;
}
