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
import { transferSizeOf, toTransferable, fromTransferable } from '../../kernel/transferable.js';
import type { RemoteTask, ThreadRequest, ThreadTask } from '../../kernel/thread-task.js';
import type { Permit } from '../concurrency/fair-queue.js';
import { FairSemaphore, isPermit } from '../concurrency/fair-semaphore.js';
import type { Metrics } from '../telemetry/metrics.js';

const MEGABYTE = 1024 * 1024;

export interface ThreadSettings {
  /** Maximum threads. They start on demand and end after a minute without work. */
  readonly threads: number;
  /** Maximum threads that work for one tenant. */
  readonly threadsPerOwner: number;
  /** Maximum waiting tasks, in total and per tenant, and the bytes of their inputs. */
  readonly waiting: number;
  readonly waitingPerOwner: number;
  readonly waitingBytes: number;
  readonly waitingBytesPerOwner: number;
  /** Maximum wait of a task in milliseconds of real time. */
  readonly maxWaitMs: number;
  /** Milliseconds of real time after which a task's thread is terminated. Far more than legitimate work needs. */
  readonly maxRunMs: number;
  /** Maximum heap of one thread in megabytes. */
  readonly maxHeapMb: number;
}

const CORES = availableParallelism();
/** One core is reserved for the main thread. At least two threads, so that no tenant holds all of them. */
const THREADS = Math.min(4, Math.max(2, CORES - 1));

export const THREAD_SETTINGS: ThreadSettings = {
  threads: THREADS,
  threadsPerOwner: THREADS - 1,
  waiting: 128,
  waitingPerOwner: 32,
  waitingBytes: 256 * MEGABYTE,
  waitingBytesPerOwner: 64 * MEGABYTE,
  maxWaitMs: 30_000,
  maxRunMs: 60_000,
  maxHeapMb: 384,
};

/**
 * Inputs up to this number of bytes are processed on the calling thread. The most expensive kind takes about 2 ms per
 * KB.
 */
export const MAX_INLINE_BYTES = 8 * 1024;

/** Whether an input is processed on the calling thread. */
export function isSmall(input: unknown): boolean {
  return transferSizeOf(input) <= MAX_INLINE_BYTES;
}

const IDLE_MS = 60_000;
/** Lowers the priority of worker threads below the main thread, if the platform can. */
const NICE_INCREMENT = 5;
const RETRY_AFTER_SECONDS = 2;

type Outcome = 'done' | 'failed' | 'time' | 'memory';

export class Threads {
  private readonly pool: Piscina<ThreadRequest, unknown>;
  private readonly semaphore: FairSemaphore;
  private closing = false;

  /**
   * @param entry the file whose default export a thread runs with each ThreadRequest.
   * @param timeLimit makes a signal that aborts a task after this number of milliseconds.
   */
  constructor(
    entry: URL,
    private readonly metrics: Metrics,
    private readonly logger: Logger,
    private readonly settings: ThreadSettings = THREAD_SETTINGS,
    private readonly timeLimit = (milliseconds: number): AbortSignal => AbortSignal.timeout(milliseconds),
  ) {
    const { threads, maxHeapMb: maxHeapMb } = settings;
    this.pool = new Piscina({
      filename: entry.href,
      minThreads: 0,
      maxThreads: threads,
      idleTimeout: IDLE_MS,
      niceIncrement: NICE_INCREMENT,
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMb, maxYoungGenerationSizeMb: 48 },
      // Threads only compute: keep this process's secrets out of their environment.
      env: {},
    });
    this.semaphore = new FairSemaphore({
      maxPermits: threads,
      maxPerOwner: settings.threadsPerOwner,
      maxWaiting: settings.waiting,
      maxWaitingPerOwner: settings.waitingPerOwner,
      maxWaitingBytes: settings.waitingBytes,
      maxWaitingBytesPerOwner: settings.waitingBytesPerOwner,
      maxWaitMs: settings.maxWaitMs,
    });
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
    bytes = transferSizeOf(input),
  ): Promise<Output> {
    if (bytes <= MAX_INLINE_BYTES && !('apart' in task)) {
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
    bytes = transferSizeOf(input),
  ): Promise<Output> {
    const permit = await this.acquire(owner, bytes);
    try {
      this.reportQueue();
      return await this.execute(task, input);
    } finally {
      permit.release();
      this.reportQueue();
    }
  }

  /** Terminates all threads. Work in progress is rejected. */
  async close(): Promise<void> {
    this.closing = true;
    await this.pool.destroy();
  }

  private async acquire(owner: string, bytes: number): Promise<Permit> {
    const request = this.semaphore.acquire(owner, { bytes });
    this.reportQueue();
    const permit = await request;
    if (isPermit(permit)) return permit;
    this.reportQueue();
    throw this.rejectionError(permit === 'full' ? 'full' : 'waited');
  }

  private async execute<Input, Output>(
    task: ThreadTask<Input, Output> | RemoteTask<Input, Output>,
    input: Input,
  ): Promise<Output> {
    const startedAt = performance.now();
    const limit = this.timeLimit(this.settings.maxRunMs);
    let outcome: Outcome = 'failed';
    try {
      const output = await this.pool.run(
        { task: task.name, input: toTransferable(input) },
        { signal: limit },
      );
      outcome = 'done';
      return fromTransferable(output) as Output;
    } catch (error) {
      if (this.closing) throw this.rejectionError('closing');
      outcome = outcomeOf(error, limit);
      if (outcome === 'failed') throw error;
      this.logger.warn({ task: task.name, outcome }, 'A thread was terminated with its tasks');
      throw tooCostly(outcome, this.settings);
    } finally {
      this.metrics.threadTasks.inc({ task: task.name, outcome });
      this.metrics.threadDuration.observe({ task: task.name }, (performance.now() - startedAt) / 1_000);
    }
  }

  private reportQueue(): void {
    this.metrics.threadsRunning.set(this.semaphore.running);
    this.metrics.threadsWaiting.set(this.semaphore.waiting);
  }

  private rejectionError(reason: 'full' | 'waited' | 'closing'): DomainError {
    this.metrics.threadRefusals.inc({ reason });
    return new DomainError(
      'service_unavailable',
      'Too much work of this kind is in progress: try again soon.',
      {
        retry_after: RETRY_AFTER_SECONDS,
      },
    );
  }
}

function outcomeOf(error: unknown, limit: AbortSignal): Outcome {
  if (limit.aborted) return 'time';
  return (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : 'failed';
}

function tooCostly(
  outcome: Outcome,
  { maxRunMs: maxRunMs, maxHeapMb: maxHeapMb }: ThreadSettings,
): DomainError {
  const bound = outcome === 'time' ? `${maxRunMs / 1_000} s` : `${maxHeapMb} MB of memory`;
  return new DomainError('work_too_costly', `Processing this takes more than ${bound}: make it smaller.`);
}
