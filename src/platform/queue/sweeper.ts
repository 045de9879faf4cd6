/**
 * Polls this process's stages for due rows and sends their wake-ups: for waits that have ended, and for rows whose
 * wake-up was lost. It sleeps until the next row is due, but at most a second of real time, and a fifth of a second
 * while rows are due, because more rows may become due behind those in progress.
 */
import { setMaxListeners } from 'node:events';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Logger } from 'pino';
import { Clock } from '../../kernel/clock.js';
import { LOGGER } from '../logging/logger.js';
import { Metrics } from '../telemetry/metrics.js';
import { Dispatcher } from './dispatcher.js';
import type { Poller } from './poller.js';
import { pauseAfter } from './sweep-pause.js';
import { UnansweredWakeUps } from './unanswered-wakeups.js';

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
