/**
 * Looks for due rows of the stages that this process works on and rings their bells: for waits that have ended,
 * and for rows whose bell was lost. It sleeps until the next row is due, and no longer than a second of real time; a
 * fifth of one while rows are due, since more of them may become due behind those that are worked on.
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

/** What a look at a stage has come to. */
interface Look {
  readonly found: Parameters<typeof pauseAfter>[0];
  /** When the next row that is not yet due will be; null when there is none, or nobody knows. */
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

  /** Sweeps the stage from the process's start on; called by the modules of the queues that it works on. */
  watch(stage: Stage): void {
    this.stages.push(stage);
  }

  onApplicationBootstrap(): void {
    // Each stage's nap listens for the end, twice at most.
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
