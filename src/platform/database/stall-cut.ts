/**
 * Passes bytes on, and fails when its reader takes none for too long though some are ready: a reader that neither goes
 * on nor goes away would hold a connection to the database for ever. Real time, since it is about the network. A slow
 * source is no stall.
 */
import { Transform, type TransformCallback } from 'node:stream';

export class StallCut extends Transform {
  private timer: NodeJS.Timeout | undefined;

  /** @param patience how long bytes may wait to be taken, in milliseconds. */
  constructor(private readonly patience: number) {
    super();
  }

  override _transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(
      () => this.destroy(new Error(`The reader took nothing for ${this.patience} ms.`)),
      this.patience,
    );
    done(null, chunk);
  }

  /** The reader asks for more: what was ready is taken. */
  override _read(size: number): void {
    clearTimeout(this.timer);
    super._read(size);
  }

  override _destroy(error: Error | null, done: TransformCallback): void {
    clearTimeout(this.timer);
    super._destroy(error, done);
  }
}
