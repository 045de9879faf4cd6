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
import type { Stage } from './stage.js';
import { pauseAfter } from './sweep-pause.js';
import { UnansweredBells } from './unanswered-bells.js';

/** The result of one poll of a stage. */
interface Look {
  readonly found: Parameters<typeof pauseAfter>[0];
  /** When the next row becomes due; null if there is none or it is unknown. */
  readonly next: Date | null;
}

@Injectable()
export class Sweeper implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly stages: Stage[] = [];
  private readonly ending = new AbortController();
  private loops: Promise<void>[] = [];

  constructor(
    private readonly clock: Clock,
    private readonly dispatcher: Dispatcher,
    private readonly metrics: Metrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Registers a stage to be polled from startup. Called by the modules of the process's queues. */
  watch(stage: Stage): void {
    this.stages.push(stage);
  }

  onApplicationBootstrap(): void {
    // Each stage's sleep adds at most two listeners for the shutdown signal.
    setMaxListeners(2 * this.stages.length + 1, this.ending.signal);
    this.loops = this.stages.map((stage) => this.loop(stage));
  }

  async onModuleDestroy(): Promise<void> {
    this.ending.abort();
    await Promise.all(this.loops);
  }

  private async loop(stage: Stage): Promise<void> {
    const unanswered = new UnansweredBells();
    while (!this.ending.signal.aborted) {
      const begun = performance.now();
      const { found, next } = await this.sweep(stage, unanswered);
      const nap = new AbortController();
      const wake = (): void => nap.abort();
      const alarm = setTimeout(wake, pauseAfter(found, performance.now() - begun));
      this.ending.signal.addEventListener('abort', wake);
      if (next) await this.clock.sleepUntil(next, nap.signal);
      else await new Promise<void>((resolve) => nap.signal.addEventListener('abort', () => resolve()));
      clearTimeout(alarm);
      this.ending.signal.removeEventListener('abort', wake);
    }
  }

  private async sweep(stage: Stage, unanswered: UnansweredBells): Promise<Look> {
    try {
      const now = this.clock.now();
      const work = await stage.due(now);
      const { scopes, next, oldest } = work;
      const insist = unanswered.take(work, now, performance.now());
      scopes.forEach((scope, index) => {
        this.dispatcher.ring(stage.bell, scope);
        if (insist[index]) this.dispatcher.ring(stage.bell, scope, true);
      });
      this.metrics.queueDepth.set({ stage: stage.bell.name }, scopes.length);
      const age = oldest ? (now.getTime() - oldest.getTime()) / 1_000 : 0;
      this.metrics.queueAge.set({ stage: stage.bell.name }, age);
      return { found: scopes.length > 0 ? 'due' : 'nothing', next };
    } catch (error) {
      this.logger.warn({ err: error, stage: stage.bell.name }, 'A sweep failed and will be retried');
      return { found: 'failure', next: null };
    }
  }
}
