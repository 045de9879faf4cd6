/**
 * Limits heap growth while a long stream is processed. V8 lets a heap grow to several times its live size before it
 * collects, as long as the machine has memory, so a stream's garbage would take hundreds of megabytes although it needs
 * only one page at a time. While a stream is in progress, V8 collects once the heap has grown by half, which costs CPU
 * time; afterwards the setting is restored.
 */
import { setFlagsFromString } from 'node:v8';

/** Heap growth before a collection, in percent. */
const LIMITED_GROWTH_PERCENT = 50;
/** The default: V8 decides. */
const DEFAULT_GROWTH_PERCENT = 0;

export class HeapLimiter {
  private holders = 0;

  /** @param setGrowth sets V8's heap growth in percent. */
  constructor(
    private readonly setGrowth = (percent: number): void =>
      setFlagsFromString(`--heap-growing-percent=${percent}`),
  ) {}

  /** Runs the work with limited heap growth. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.holders++ === 0) this.setGrowth(LIMITED_GROWTH_PERCENT);
    try {
      return await work();
    } finally {
      if (--this.holders === 0) this.setGrowth(DEFAULT_GROWTH_PERCENT);
    }
  }
}

/** One instance, because V8's settings belong to the process. */
export const HEAP_LIMITER = new HeapLimiter();
