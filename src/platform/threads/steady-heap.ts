/**
 * A heap that stays as it is while a long stream is worked through. V8 lets a heap grow to several times what lives in it
 * before it collects, as long as the machine has memory: what a stream leaves behind would come to hundreds of megabytes,
 * though no more of it is needed at a time than a page. While somebody works on a stream it collects once the heap has
 * grown by half, which costs a process more time, and is taken back as soon as nobody does.
 */
import { setFlagsFromString } from 'node:v8';

/** By how much the heap grows before it is collected, in per cent. */
const GROWTH = 50;
/** Leaves it to V8. */
const UNBOUNDED = 0;

export class SteadyHeap {
  private holders = 0;

  /** @param setGrowth tells V8, in per cent. */
  constructor(
    private readonly setGrowth = (percent: number): void =>
      setFlagsFromString(`--heap-growing-percent=${percent}`),
  ) {}

  /** Works on a stream, with the heap kept as it is for as long as it takes. */
  async while<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.holders++ === 0) this.setGrowth(GROWTH);
    try {
      return await work();
    } finally {
      if (--this.holders === 0) this.setGrowth(UNBOUNDED);
    }
  }
}

/** V8's settings are the process's, and so is this. */
export const STEADY_HEAP = new SteadyHeap();
