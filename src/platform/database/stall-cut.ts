/**
 * Passes bytes on, and fails when its reader takes none for too long though some are ready, or when there is nothing to
 * take for too long though the reader asks: a reader that neither goes on nor goes away, and a question that finds
 * nothing, would hold a connection to the database for ever. Real time, since it is about the network.
 */
import { Transform, type TransformCallback } from 'node:stream';

/** In milliseconds. */
export interface Stalls {
  /** How long bytes may wait to be taken. */
  readonly patience: number;
  /** How long the reader may wait for bytes. */
  readonly silence: number;
}

export class StallCut extends Transform {
  private untaken: NodeJS.Timeout | undefined;
  private silent: NodeJS.Timeout | undefined;

  constructor(private readonly stalls: Stalls) {
    super();
  }

  override _transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback): void {
    this.rest();
    const { patience } = this.stalls;
    this.untaken = setTimeout(() => this.cut(`The reader took nothing for ${patience} ms.`), patience);
    done(null, chunk);
  }

  /** The reader asks for more: what was ready is taken. */
  override _read(size: number): void {
    clearTimeout(this.untaken);
    const { silence } = this.stalls;
    this.silent ??= setTimeout(() => this.cut(`There was nothing to read for ${silence} ms.`), silence);
    super._read(size);
  }

  override _flush(done: TransformCallback): void {
    this.rest();
    done();
  }

  override _destroy(error: Error | null, done: TransformCallback): void {
    this.rest();
    super._destroy(error, done);
  }

  private cut(reason: string): void {
    this.destroy(new Error(reason));
  }

  private rest(): void {
    clearTimeout(this.untaken);
    clearTimeout(this.silent);
    this.silent = undefined;
  }
}
