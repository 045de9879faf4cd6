/**
 * Reads a source's pages in sequence while earlier ones are written, up to two batches ahead. The slower of the two
 * sides sets the pace, a single slow write causes no delay, and memory stays bounded.
 */
import { BATCH_RECORDS, PAGE_BOUNDS } from '../domain/work-bounds.js';
import type { ForeignRecord } from '../domain/foreign-contact.js';
import type { Cursor, SourcePage } from '../domain/import-source.js';
import { joinedPages, type PageBatch } from '../domain/page-batch.js';

/** Number of batches that are read ahead. */
const AHEAD = 2;
/** Approximate limit, in bytes, of pages that wait to be written. A single page may be larger. */
const WAITING_BYTES = 8 * 1024 * 1024;
/** Number of records of a page that are sampled to estimate its size. */
const SAMPLED = 20;

/** The size of a page that exceeds the limits. */
interface PageExtent {
  readonly records: number;
  /** Size of the records as JSON. */
  readonly bytes: number;
  readonly cursor: number;
}

/** The source has returned a page that exceeds the limits. */
export class PageBeyondBounds extends Error {
  override readonly name = 'PageBeyondBounds';
  constructor(readonly page: PageExtent) {
    super('A page exceeds the page limits.');
  }
}

interface WaitingPage {
  readonly page: SourcePage;
  readonly bytes: number;
}

export class PageReader {
  private readonly waiting: WaitingPage[] = [];
  private ended = false;
  private stopped = false;
  private failure: { readonly error: unknown } | undefined;
  private readonly sleepers = new Set<() => void>();

  /** @param page requests one page; its errors are thrown after the pages before it were taken. */
  constructor(
    private readonly page: (cursor: Cursor | null) => Promise<SourcePage>,
    from: Cursor | null,
  ) {
    void this.read(from);
  }

  /** Requests no more pages. Those already requested can still be taken. */
  stop(): void {
    this.stopped = true;
    this.stir();
  }

  /**
   * Whether a page can be taken, or all pages were taken.
   * @param milliseconds to wait at most.
   */
  async ready(milliseconds: number): Promise<boolean> {
    const isReady = (): boolean => this.waiting.length > 0 || this.ended;
    if (isReady()) return true;
    await this.stirredWithin(milliseconds);
    return isReady();
  }

  /** Waits until a full batch can be taken, or all that is left. @param milliseconds at most. */
  async gathered(milliseconds: number): Promise<void> {
    const until = performance.now() + milliseconds;
    while (!this.hasWaiting(1) && !this.ended && !this.stopped) {
      const left = until - performance.now();
      if (left <= 0) return;
      await this.stirredWithin(left);
    }
  }

  /**
   * Waiting pages, as many as one transaction writes; undefined if there are none.
   * @throws the error of the request for the next page, or PageBeyondBounds.
   */
  take(): PageBatch | undefined {
    const taken: SourcePage[] = [];
    let records = 0;
    while (this.waiting.length > 0) {
      const page = this.waiting[0]?.page;
      if (!page || (taken.length > 0 && records + page.records.length > BATCH_RECORDS)) break;
      taken.push(page);
      this.waiting.shift();
      records += page.records.length;
    }
    this.stir();
    if (taken.length > 0) return joinedPages(taken);
    if (this.failure) throw this.failure.error;
    return undefined;
  }

  private async read(from: Cursor | null): Promise<void> {
    try {
      for (let cursor = from; ;) {
        while (this.hasWaiting(AHEAD) && !this.stopped) await this.stirred();
        if (this.stopped) return;
        const page = await this.page(cursor);
        this.waiting.push({ page, bytes: boundedBytes(page) });
        this.stir();
        if (page.next === null || page.again !== undefined) return;
        cursor = page.next;
      }
    } catch (error) {
      this.failure = { error };
    } finally {
      this.ended = true;
      this.stir();
    }
  }

  /** Whether the given number of batches waits, or as many bytes as may be held. */
  private hasWaiting(batches: number): boolean {
    let [records, bytes] = [0, 0];
    for (const waiting of this.waiting) {
      records += waiting.page.records.length;
      bytes += waiting.bytes;
    }
    const most = batches * BATCH_RECORDS;
    return records >= most || bytes >= WAITING_BYTES || this.waiting.length >= most;
  }

  private async stirredWithin(milliseconds: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await Promise.race([
      this.stirred(),
      new Promise<void>((resolve) => (timer = setTimeout(resolve, milliseconds))),
    ]);
    clearTimeout(timer);
  }

  private stirred(): Promise<void> {
    return new Promise((resolve) => this.sleepers.add(resolve));
  }

  private stir(): void {
    for (const wake of this.sleepers) wake();
    this.sleepers.clear();
  }
}

/** @throws PageBeyondBounds */
function boundedBytes({ records, next }: SourcePage): number {
  const about = bytesOf(records, Math.max(1, Math.floor(records.length / SAMPLED)));
  const page = {
    records: records.length,
    bytes: about > PAGE_BOUNDS.bytes ? bytesOf(records, 1) : about,
    cursor: next === null ? 0 : sizeOf(next),
  };
  const isWithin =
    page.records <= PAGE_BOUNDS.records &&
    page.bytes <= PAGE_BOUNDS.bytes &&
    page.cursor <= PAGE_BOUNDS.cursor;
  if (!isWithin) throw new PageBeyondBounds(page);
  return page.bytes;
}

/** The estimated size of records as JSON, from a sample of every `step`-th record. */
function bytesOf(records: readonly ForeignRecord[], step: number): number {
  let bytes = 0;
  let looked = 0;
  for (let place = 0; place < records.length; place += step) {
    bytes += sizeOf(records[place]);
    looked++;
  }
  return looked === 0 ? 0 : (bytes / looked) * records.length;
}

/** Size as JSON. A value nested too deep to serialize counts as zero; its row becomes an error later. */
function sizeOf(value: unknown): number {
  try {
    return Buffer.byteLength(JSON.stringify(value));
  } catch (error) {
    if (error instanceof RangeError) return 0;
    throw error;
  }
}
