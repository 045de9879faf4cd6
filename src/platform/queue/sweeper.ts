/**
 * Polls this process's stages for due rows and sends their wake-ups: for waits that have ended, and for rows whose
 * wake-up was lost. It sleeps until the next row is due, but at most a second of real time, and a fifth of a second
 * while rows are due, because more rows may become due behind those in progress.
 */
import { setMaxListeners } from 'node:events';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Logger } from 'pino';
import { Clock } from '../../kernel/clock.js';
import { scopeKey } from '../../kernel/tenant-scope.js';
import { LOGGER } from '../logging/logger.js';
import { Metrics } from '../telemetry/metrics.js';
import { Dispatcher } from './dispatcher.js';
import type { Poller, DueWork } from './poller.js';

/** The result of one poll of a stage. */
interface PollResult {
  readonly found: Parameters<typeof pauseAfter>[0];
  /** When the next row becomes due; null if there is none or it is unknown. */
  readonly next: Date | null;
}

@Injectable()
export class Sweeper implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly pollers: Poller[] = [];
  private readonly shutdown = new AbortController();
  private loops: Promise<void>[] = [];

  constructor(
    private readonly clock: Clock,
    private readonly dispatcher: Dispatcher,
    private readonly metrics: Metrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Registers a stage to be polled from startup. Called by the modules of the process's queues. */
  watch(poller: Poller): void {
    this.pollers.push(poller);
  }

  onApplicationBootstrap(): void {
    // Each stage's sleep adds at most two listeners for the shutdown signal.
    setMaxListeners(2 * this.pollers.length + 1, this.shutdown.signal);
    this.loops = this.pollers.map((poller) => this.loop(poller));
  }

  async onModuleDestroy(): Promise<void> {
    this.shutdown.abort();
    await Promise.all(this.loops);
  }

  private async loop(poller: Poller): Promise<void> {
    const unanswered = new UnansweredWakeUps();
    while (!this.shutdown.signal.aborted) {
      const startedAt = performance.now();
      const { found, next } = await this.poll(poller, unanswered);
      const sleep = new AbortController();
      const endSleep = (): void => sleep.abort();
      const timer = setTimeout(endSleep, pauseAfter(found, performance.now() - startedAt));
      this.shutdown.signal.addEventListener('abort', endSleep);
      if (next) await this.clock.sleepUntil(next, sleep.signal);
      else await new Promise<void>((resolve) => sleep.signal.addEventListener('abort', () => resolve()));
      clearTimeout(timer);
      this.shutdown.signal.removeEventListener('abort', endSleep);
    }
  }

  private async poll(poller: Poller, unanswered: UnansweredWakeUps): Promise<PollResult> {
    try {
      const now = this.clock.now();
      const work = await poller.findDue(now);
      const { scopes, next, oldest } = work;
      const mustRepeat = unanswered.record(work, now, performance.now());
      scopes.forEach((scope, index) => {
        this.dispatcher.wake(poller.wakeUp, scope);
        if (mustRepeat[index]) this.dispatcher.wake(poller.wakeUp, scope, true);
      });
      this.metrics.queueDepth.set({ stage: poller.wakeUp.name }, scopes.length);
      const age = oldest ? (now.getTime() - oldest.getTime()) / 1_000 : 0;
      this.metrics.queueAge.set({ stage: poller.wakeUp.name }, age);
      return { found: scopes.length > 0 ? 'due' : 'nothing', next };
    } catch (error) {
      this.logger.warn({ err: error, stage: poller.wakeUp.name }, 'A sweep failed and will be retried');
      return { found: 'failure', next: null };
    }
  }
}

/** No work is known to be due. The code that stores a row usually sends its wake-up. */
export const MAX_PAUSE_MS = 1_000;
/** The database did not respond. */
const PAUSE_AFTER_FAILURE_MS = 250;
/** Rows were due. Rows that become due while those are processed get their wake-up only from here. */
const PAUSE_WHILE_DUE_MS = 200;
/** Polling takes longer with more waiting tenants. This is the maximum share of time that it may use. */
const MAX_POLL_SHARE = 1 / 20;

/**
 * The maximum time until a stage is polled again, in milliseconds of real time.
 * @param found the result of the poll.
 * @param durationMs its duration in milliseconds.
 */
export function pauseAfter(found: 'due' | 'nothing' | 'failure', durationMs: number): number {
  if (found === 'failure') return PAUSE_AFTER_FAILURE_MS;
  return found === 'due'
    ? Math.min(Math.max(PAUSE_WHILE_DUE_MS, durationMs / MAX_POLL_SHARE), MAX_PAUSE_MS)
    : MAX_PAUSE_MS;
}

/** Milliseconds of real time within which a tenant in progress must show some change. */
const NO_PROGRESS_MS = 900;

interface Observation {
  readonly since: number;
  /** When the tenant was first found in this state, by the process's monotonic clock. */
  readonly at: number;
}

/**
 * Detects wake-ups that no worker handles. The job of a killed process, or one whose claim was lost with a connection,
 * blocks further wake-ups of its tenant until its lock expires. If a tenant makes no progress between two polls, a
 * wake-up with a second id is sent, which the first does not block. A process that has just started does so on its
 * first poll, because the due work may be left over from its predecessor, and a superfluous wake-up is harmless.
 */
export class UnansweredWakeUps {
  private observations = new Map<string, Observation>();
  private isFirst = true;

  /**
   * Records the result of a poll.
   * @param now the time of the poll in product time.
   * @param at the process's monotonic time in milliseconds, such as performance.now().
   * @returns for each scope, whether to send a second wake-up.
   */
  record({ scopes, since }: DueWork, now: Date, at: number): boolean[] {
    const observations = new Map<string, Observation>();
    const mustRepeat = scopes.map((scope, index) => {
      const key = scopeKey(scope);
      const earlier = this.observations.get(key);
      // Work that is due "since now" has no fixed due time to compare.
      const moment = since[index]?.getTime() ?? now.getTime();
      const isSame = earlier !== undefined && (earlier.since === moment || moment >= now.getTime());
      const observation = isSame ? earlier : { since: moment, at };
      observations.set(key, observation);
      return this.isFirst || at - observation.at >= NO_PROGRESS_MS;
    });
    this.observations = observations;
    this.isFirst = false;
    return mustRepeat;
  }
}
