/**
 * Records when keys are used. Uses are collected in memory and stored once a minute, for each key at most every five
 * minutes, so that requests do not wait and the database load is negligible. A killed process loses one minute.
 */
import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { Clock } from '../../../kernel/clock.js';
import { LOGGER } from '../../../platform/logging/logger.js';
import { ApiKeyUseRepository } from '../persistence/api-key-use.repository.js';

/** Milliseconds of real time. */
const STORE_INTERVAL_MS = 60_000;
const RECORD_INTERVAL_MS = 5 * 60_000;
/** Maximum remembered keys; beyond it, the least recently used are recorded again. */
const MAX_TRACKED_KEYS = 10_000;

@Injectable()
export class KeyUses implements OnModuleInit, OnModuleDestroy {
  /** Real time in milliseconds at which uses were recorded, by key. */
  private readonly recordedAt = new LRUCache<string, number>({ max: MAX_TRACKED_KEYS });
  private pendingUses = new Map<string, Map<string, Date>>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly uses: ApiKeyUseRepository,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.timer = setInterval(() => void this.store(), STORE_INTERVAL_MS).unref();
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await this.store();
  }

  /** Records that a key is used now. */
  record(workspaceId: string, keyId: string): void {
    const now = performance.now();
    const last = this.recordedAt.get(keyId);
    if (last !== undefined && now - last < RECORD_INTERVAL_MS) return;
    this.recordedAt.set(keyId, now);
    const workspaceUses = this.pendingUses.get(workspaceId) ?? new Map<string, Date>();
    this.pendingUses.set(workspaceId, workspaceUses.set(keyId, this.clock.now()));
  }

  /** Stores the recorded uses. If that fails for a key, its next use is recorded without the usual pause. */
  async store(): Promise<void> {
    const pendingUses = this.pendingUses;
    this.pendingUses = new Map();
    for (const [workspaceId, uses] of pendingUses)
      try {
        await this.uses.store({ workspaceId }, uses);
      } catch (error) {
        for (const keyId of uses.keys()) this.recordedAt.delete(keyId);
        this.logger.warn({ err: error, workspaceId }, 'The last use of API keys could not be stored');
      }
  }
}
