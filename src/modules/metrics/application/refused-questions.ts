/**
 * Caches queries that were recently rejected as too expensive, for as long as an answer would be cached: a repeated
 * query gets the same error without reaching the database. Keys start with the tenant, so that tenants do not share
 * entries.
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
   * Runs the query, unless the same query was rejected recently.
   * @param question plain values; timestamps within the same five minutes count as equal.
   * @throws DomainError work_too_costly; and any error of `ask`.
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

/** Rounds a timestamp down to five minutes. `JSON.stringify` has already converted it to a string. */
function coarse(this: Record<string, unknown>, name: string, value: unknown): unknown {
  const own = this[name];
  return own instanceof Date ? Math.floor(own.getTime() / LIFETIME) : value;
}
