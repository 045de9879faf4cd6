/**
 * A pass-through stream that fails if its reader takes less than a minimum of the available bytes, or if the source
 * yields nothing for too long while the reader waits. Otherwise a slow reader, or a query that finds nothing, would
 * hold a database connection for hours. Uses real time, because it measures the network.
 */
import { Transform, type TransformCallback } from 'node:stream';
import { DomainError } from '../../kernel/domain-error.js';
import { isTooCostly } from './database-error.js';

/** Seconds after which an aborted download may be retried. */
const RETRY_AFTER_SECONDS = 10;

/** The error for a file whose query takes too much time or space. */
function tooCostly(): DomainError {
  return new DomainError(
    'work_too_costly',
    'Finding the rows of this export takes too long or too much memory: request less data.',
  );
}

export interface StallLimits {
  /** Minimum bytes per second that the reader must take while bytes are available. */
  readonly minBytesPerSecond: number;
  /** Milliseconds by which the reader may fall behind this pace. */
  readonly maxLagMs: number;
  /** Milliseconds for which the reader may wait for bytes. */
  readonly maxSilenceMs: number;
}

export class StallGuard extends Transform {
  /** When bytes started to wait for the reader. */
  private waitingSince: number | undefined;
  /** Milliseconds by which the reader has fallen behind the minimum pace so far. */
  private behind = 0;
  private readTimer: NodeJS.Timeout | undefined;
  private silenceTimer: NodeJS.Timeout | undefined;

  constructor(private readonly limits: StallLimits) {
    super();
  }

  /** Milliseconds by which the reader is behind the minimum pace. */
  get lag(): number {
    return this.behind + (this.waitingSince === undefined ? 0 : performance.now() - this.waitingSince);
  }

  override _transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback): void {
    this.clearTimers();
    const { minBytesPerSecond: minBytesPerSecond, maxLagMs: maxLagMs } = this.limits;
    this.behind = Math.max(0, this.behind - (chunk.length / minBytesPerSecond) * 1_000);
    this.waitingSince = performance.now();
    this.readTimer = setTimeout(
      () => this.abort(`The client read fewer than ${minBytesPerSecond} bytes per second for too long.`),
      Math.max(0, maxLagMs - this.behind),
    );
    done(null, chunk);
  }

  /** The reader requests more, so it has taken what was available. */
  override _read(size: number): void {
    this.behind = this.lag;
    this.waitingSince = undefined;
    clearTimeout(this.readTimer);
    const { maxSilenceMs: maxSilenceMs } = this.limits;
    this.silenceTimer ??= setTimeout(() => this.destroy(tooCostly()), maxSilenceMs);
    super._read(size);
  }

  override _flush(done: TransformCallback): void {
    this.clearTimers();
    done();
  }

  override _destroy(error: Error | null, done: TransformCallback): void {
    this.clearTimers();
    super._destroy(isTooCostly(error) ? tooCostly() : error, done);
  }

  /** Aborts the stream. */
  abort(reason: string): void {
    this.destroy(new DomainError('service_unavailable', reason, { retry_after: RETRY_AFTER_SECONDS }));
  }

  private clearTimers(): void {
    clearTimeout(this.readTimer);
    clearTimeout(this.silenceTimer);
    this.silenceTimer = undefined;
  }
}
