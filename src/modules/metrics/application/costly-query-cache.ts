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

const ENTRY_TTL_MS = 5 * MINUTE;
const MAX_ENTRIES = 10_000;

interface Rejection {
  readonly error: DomainError;
  readonly at: number;
}

@Injectable()
export class CostlyQueryCache {
  private readonly rejections = new LRUCache<string, Rejection>({ max: MAX_ENTRIES });

  constructor(private readonly clock: Clock) {}

  /**
   * Runs the query, unless the same query was rejected recently.
   * @param query plain values; timestamps within the same five minutes count as equal.
   * @throws DomainError work_too_costly; and any error of `ask`.
   */
  async run<Result>(scope: TenantScope, query: object, execute: () => Promise<Result>): Promise<Result> {
    // A digest, since filters may be long.
    const digest = createHash('sha256').update(JSON.stringify(query, roundTimestamp)).digest('base64');
    const key = `${scopeKey(scope)} ${digest}`;
    const now = this.clock.now().getTime();
    const cached = this.rejections.get(key);
    if (cached && now >= cached.at && now - cached.at < ENTRY_TTL_MS) throw cached.error;
    try {
      return await execute();
    } catch (error) {
      if (error instanceof DomainError && error.code === 'work_too_costly')
        this.rejections.set(key, { error, at: now });
      throw error;
    }
  }
}

/** Rounds a timestamp down to five minutes. `JSON.stringify` has already converted it to a string. */
function roundTimestamp(this: Record<string, unknown>, name: string, value: unknown): unknown {
  const original = this[name];
  return original instanceof Date ? Math.floor(original.getTime() / ENTRY_TTL_MS) : value;
}
