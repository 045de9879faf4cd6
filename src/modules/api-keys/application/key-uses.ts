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
const STORE_EVERY = 60_000;
const NOTE_EVERY = 5 * 60_000;
/** Maximum remembered keys; beyond it, the least recently used are recorded again. */
const MOST_KEYS = 10_000;

@Injectable()
export class KeyUses implements OnModuleInit, OnModuleDestroy {
  /** Real time in milliseconds at which uses were recorded, by key. */
  private readonly noted = new LRUCache<string, number>({ max: MOST_KEYS });
  private waiting = new Map<string, Map<string, Date>>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly uses: ApiKeyUseRepository,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.timer = setInterval(() => void this.store(), STORE_EVERY).unref();
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await this.store();
  }

  /** Records that a key is used now. */
  note(workspaceId: string, keyId: string): void {
    const now = performance.now();
    const last = this.noted.get(keyId);
    if (last !== undefined && now - last < NOTE_EVERY) return;
    this.noted.set(keyId, now);
    const ofWorkspace = this.waiting.get(workspaceId) ?? new Map<string, Date>();
    this.waiting.set(workspaceId, ofWorkspace.set(keyId, this.clock.now()));
  }

  /** Stores the recorded uses. If that fails for a key, its next use is recorded without the usual pause. */
  async store(): Promise<void> {
    const waiting = this.waiting;
    this.waiting = new Map();
    for (const [workspaceId, uses] of waiting)
      try {
        await this.uses.store({ workspaceId }, uses);
      } catch (error) {
        for (const keyId of uses.keys()) this.noted.delete(keyId);
        this.logger.warn({ err: error, workspaceId }, 'The last use of API keys could not be stored');
      }
  }
}
