/**
 * Runs expensive work on worker threads, so that the main thread stays responsive. Work has time and memory limits;
 * exceeding one terminates and replaces its thread. The queue is bounded, and tenants take turns: however much one
 * sends, another's work is next. Small work runs on the calling thread, because a transfer costs more than it saves.
 * Section 8.3.
 */
import { availableParallelism } from 'node:os';
import { Piscina } from 'piscina';
import type { Logger } from 'pino';
import { DomainError } from '../../kernel/domain-error.js';
import { bytesIn, packed, unpacked } from '../../kernel/thread-cargo.js';
import type { RemoteTask, ThreadOrder, ThreadTask } from '../../kernel/thread-task.js';
import type { Metrics } from '../telemetry/metrics.js';
import { awaitTurn, isTurn } from './awaited-turn.js';
import { Turns, type Turn } from './turns.js';

const MEGABYTE = 1024 * 1024;

export interface ThreadSettings {
  /** Maximum threads. They start on demand and end after a minute without work. */
  readonly threads: number;
  /** Maximum threads that work for one tenant. */
  readonly threadsOfOne: number;
  /** Maximum waiting tasks, in total and per tenant, and the bytes of their inputs. */
  readonly waiting: number;
  readonly waitingOfOne: number;
  readonly waitingBytes: number;
  readonly waitingBytesOfOne: number;
  /** Maximum wait of a task in milliseconds of real time. */
  readonly patience: number;
  /** Milliseconds of real time after which a task's thread is terminated. Far more than legitimate work needs. */
  readonly longest: number;
  /** Maximum heap of one thread in megabytes. */
  readonly heap: number;
}

const CORES = availableParallelism();
/** One core is reserved for the main thread. At least two threads, so that no tenant holds all of them. */
const THREADS = Math.min(4, Math.max(2, CORES - 1));

export const THREAD_SETTINGS: ThreadSettings = {
  threads: THREADS,
  threadsOfOne: THREADS - 1,
  waiting: 128,
  waitingOfOne: 32,
  waitingBytes: 256 * MEGABYTE,
  waitingBytesOfOne: 64 * MEGABYTE,
  patience: 30_000,
  longest: 60_000,
  heap: 384,
};

/**
 * Inputs up to this number of bytes are processed on the calling thread. The most expensive kind takes about 2 ms per
 * KB.
 */
export const SMALL_WORK = 8 * 1024;

/** Whether an input is processed on the calling thread. */
export function isSmall(input: unknown): boolean {
  return bytesIn(input) <= SMALL_WORK;
}

const IDLE_MS = 60_000;
/** Lowers the priority of worker threads below the main thread, if the platform can. */
const NICE = 5;
const RETRY_AFTER = 2;

type Outcome = 'done' | 'failed' | 'time' | 'memory';

export class Threads {
  private readonly pool: Piscina<ThreadOrder, unknown>;
  private readonly turns: Turns;
  private closing = false;

  /**
   * @param entry the file whose default export a thread runs with each ThreadOrder.
   * @param timeLimit makes a signal that aborts a task after this number of milliseconds.
   */
  constructor(
    entry: URL,
    private readonly metrics: Metrics,
    private readonly logger: Logger,
    private readonly settings: ThreadSettings = THREAD_SETTINGS,
    private readonly timeLimit = (milliseconds: number): AbortSignal => AbortSignal.timeout(milliseconds),
  ) {
    const { threads, heap } = settings;
    this.pool = new Piscina({
      filename: entry.href,
      minThreads: 0,
      maxThreads: threads,
      idleTimeout: IDLE_MS,
      niceIncrement: NICE,
      resourceLimits: { maxOldGenerationSizeMb: heap, maxYoungGenerationSizeMb: 48 },
      // Threads only compute: keep this process's secrets out of their environment.
      env: {},
    });
    this.turns = new Turns(
      { running: threads, waiting: settings.waiting, waitingBytes: settings.waitingBytes },
      {
        running: settings.threadsOfOne,
        waiting: settings.waitingOfOne,
        waitingBytes: settings.waitingBytesOfOne,
      },
    );
  }

  /**
   * Does the work: on the calling thread if it is small and turns out to be cheap (ThreadTask.attempt), otherwise on a
   * worker thread. A RemoteTask always runs on a worker thread.
   * @param owner the owner of the work; owners take turns.
   * @param bytes approximate size of the input while it waits.
   * @throws DomainError as onThread.
   */
  async run<Input, Output>(
    owner: string,
    task: ThreadTask<Input, Output> | RemoteTask<Input, Output>,
    input: Input,
    bytes = bytesIn(input),
  ): Promise<Output> {
    if (bytes <= SMALL_WORK && !('apart' in task)) {
      if (!task.attempt) return task.run(input);
      const output = task.attempt(input);
      if (output !== undefined) return output;
    }
    return this.onThread(owner, task, input, bytes);
  }

  /**
   * Does the work on a worker thread.
   * @param bytes approximate size of the input while it waits.
   * @throws DomainError service_unavailable with retry_after if the queue is full or the wait times out;
   *   work_too_costly if it exceeds a task's time or memory.
   */
  async onThread<Input, Output>(
    owner: string,
    task: ThreadTask<Input, Output> | RemoteTask<Input, Output>,
    input: Input,
    bytes = bytesIn(input),
  ): Promise<Output> {
    const turn = await this.turnOf(owner, bytes);
    try {
      this.showTurns();
      return await this.done(task, input);
    } finally {
      turn.leave();
      this.showTurns();
    }
  }

  /** Terminates all threads. Work in progress is rejected. */
  async close(): Promise<void> {
    this.closing = true;
    await this.pool.destroy();
  }

  private async turnOf(owner: string, bytes: number): Promise<Turn> {
    const { patience } = this.settings;
    const onWaiting = (): void => this.showTurns();
    const turn = await awaitTurn(this.turns, { owner, bytes, patience, onWaiting });
    if (isTurn(turn)) return turn;
    this.showTurns();
    throw this.refusal(turn === 'full' ? 'full' : 'waited');
  }

  private async done<Input, Output>(
    task: ThreadTask<Input, Output> | RemoteTask<Input, Output>,
    input: Input,
  ): Promise<Output> {
    const begun = performance.now();
    const limit = this.timeLimit(this.settings.longest);
    let outcome: Outcome = 'failed';
    try {
      const output = await this.pool.run({ task: task.name, input: packed(input) }, { signal: limit });
      outcome = 'done';
      return unpacked(output) as Output;
    } catch (error) {
      if (this.closing) throw this.refusal('closing');
      outcome = endOf(error, limit);
      if (outcome === 'failed') throw error;
      this.logger.warn({ task: task.name, outcome }, 'A thread was terminated with its tasks');
      throw tooCostly(outcome, this.settings);
    } finally {
      this.metrics.threadTasks.inc({ task: task.name, outcome });
      this.metrics.threadDuration.observe({ task: task.name }, (performance.now() - begun) / 1_000);
    }
  }

  private showTurns(): void {
    this.metrics.threadsRunning.set(this.turns.running);
    this.metrics.threadsWaiting.set(this.turns.waiting);
  }

  private refusal(reason: 'full' | 'waited' | 'closing'): DomainError {
    this.metrics.threadRefusals.inc({ reason });
    return new DomainError(
      'service_unavailable',
      'Too much work of this kind is in progress: try again soon.',
      {
        retry_after: RETRY_AFTER,
      },
    );
  }
}

function endOf(error: unknown, limit: AbortSignal): Outcome {
  if (limit.aborted) return 'time';
  return (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : 'failed';
}

function tooCostly(outcome: Outcome, { longest, heap }: ThreadSettings): DomainError {
  const bound = outcome === 'time' ? `${longest / 1_000} s` : `${heap} MB of memory`;
  return new DomainError('work_too_costly', `Processing this takes more than ${bound}: make it smaller.`);
}
