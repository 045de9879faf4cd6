/**
 * Reads a source's pages in sequence while earlier ones are written, up to two batches ahead. The slower of the two
 * sides sets the pace, a single slow write causes no delay, and memory stays bounded.
 */
import { BATCH_RECORDS, PAGE_LIMITS } from '../domain/work-limits.js';
import type { SourceRecord } from '../domain/source-record.js';
import type { Cursor, SourcePage } from '../domain/import-source.js';
import { joinedPages, type PageBatch } from '../domain/page-batch.js';

/** Number of batches that are read ahead. */
const PREFETCH_BATCHES = 2;
/** Approximate limit, in bytes, of pages that wait to be written. A single page may be larger. */
const MAX_WAITING_BYTES = 8 * 1024 * 1024;
/** Number of records of a page that are sampled to estimate its size. */
const SAMPLE_RECORDS = 20;

/** The size of a page that exceeds the limits. */
interface PageSize {
  readonly records: number;
  /** Size of the records as JSON. */
  readonly bytes: number;
  readonly cursor: number;
}

/** The source has returned a page that exceeds the limits. */
export class PageTooLargeError extends Error {
  override readonly name = 'PageTooLargeError';
  constructor(readonly page: PageSize) {
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
  private readonly waiters = new Set<() => void>();

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
    this.notifyWaiters();
  }

  /**
   * Whether a page can be taken, or all pages were taken.
   * @param milliseconds to wait at most.
   */
  async waitForPage(milliseconds: number): Promise<boolean> {
    const isReady = (): boolean => this.waiting.length > 0 || this.ended;
    if (isReady()) return true;
    await this.changeWithin(milliseconds);
    return isReady();
  }

  /** Waits until a full batch can be taken, or all that is left. @param milliseconds at most. */
  async waitForBatch(milliseconds: number): Promise<void> {
    const until = performance.now() + milliseconds;
    while (!this.hasWaiting(1) && !this.ended && !this.stopped) {
      const left = until - performance.now();
      if (left <= 0) return;
      await this.changeWithin(left);
    }
  }

  /**
   * Waiting pages, as many as one transaction writes; undefined if there are none.
   * @throws the error of the request for the next page, or PageTooLargeError.
   */
  takeBatch(): PageBatch | undefined {
    const taken: SourcePage[] = [];
    let records = 0;
    while (this.waiting.length > 0) {
      const page = this.waiting[0]?.page;
      if (!page || (taken.length > 0 && records + page.records.length > BATCH_RECORDS)) break;
      taken.push(page);
      this.waiting.shift();
      records += page.records.length;
    }
    this.notifyWaiters();
    if (taken.length > 0) return joinedPages(taken);
    if (this.failure) throw this.failure.error;
    return undefined;
  }

  private async read(from: Cursor | null): Promise<void> {
    try {
      for (let cursor = from; ;) {
        while (this.hasWaiting(PREFETCH_BATCHES) && !this.stopped) await this.nextChange();
        if (this.stopped) return;
        const page = await this.page(cursor);
        this.waiting.push({ page, bytes: boundedBytes(page) });
        this.notifyWaiters();
        if (page.next === null || page.retryAfterMs !== undefined) return;
        cursor = page.next;
      }
    } catch (error) {
      this.failure = { error };
    } finally {
      this.ended = true;
      this.notifyWaiters();
    }
  }

  /** Whether the given number of batches waits, or as many bytes as may be held. */
  private hasWaiting(batches: number): boolean {
    let [records, bytes] = [0, 0];
    for (const waiting of this.waiting) {
      records += waiting.page.records.length;
      bytes += waiting.bytes;
    }
    const maxRecords = batches * BATCH_RECORDS;
    return records >= maxRecords || bytes >= MAX_WAITING_BYTES || this.waiting.length >= maxRecords;
  }

  private async changeWithin(milliseconds: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await Promise.race([
      this.nextChange(),
      new Promise<void>((resolve) => (timer = setTimeout(resolve, milliseconds))),
    ]);
    clearTimeout(timer);
  }

  private nextChange(): Promise<void> {
    return new Promise((resolve) => this.waiters.add(resolve));
  }

  private notifyWaiters(): void {
    for (const wake of this.waiters) wake();
    this.waiters.clear();
  }
}

/** @throws PageTooLargeError */
function boundedBytes({ records, next }: SourcePage): number {
  const estimate = bytesOf(records, Math.max(1, Math.floor(records.length / SAMPLE_RECORDS)));
  const page = {
    records: records.length,
    bytes: estimate > PAGE_LIMITS.bytes ? bytesOf(records, 1) : estimate,
    cursor: next === null ? 0 : sizeOf(next),
  };
  const isWithin =
    page.records <= PAGE_LIMITS.records &&
    page.bytes <= PAGE_LIMITS.bytes &&
    page.cursor <= PAGE_LIMITS.cursor;
  if (!isWithin) throw new PageTooLargeError(page);
  return page.bytes;
}

/** The estimated size of records as JSON, from a sample of every `step`-th record. */
function bytesOf(records: readonly SourceRecord[], step: number): number {
  let bytes = 0;
  let sampled = 0;
  for (let index = 0; index < records.length; index += step) {
    bytes += sizeOf(records[index]);
    sampled++;
  }
  return sampled === 0 ? 0 : (bytes / sampled) * records.length;
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
