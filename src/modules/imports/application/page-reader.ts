/**
 * Reads a source's pages one behind the other, while those before are written: as far ahead as two batches, so that whichever
 * of the two is slower sets the pace, a write that takes longer for once costs nothing, and memory stays what it is.
 */
import { BATCH_RECORDS, PAGE_BOUNDS } from '../domain/work-bounds.js';
import type { ForeignRecord } from '../domain/foreign-contact.js';
import type { Cursor, SourcePage } from '../domain/import-source.js';
import { joinedPages, type PageBatch } from '../domain/page-batch.js';

/** Batches that are read ahead. */
const AHEAD = 2;
/** Bytes of pages that wait to be written, about: a page alone may be more. */
const WAITING_BYTES = 8 * 1024 * 1024;
/** Records of a page that are looked at to say how large the page is. */
const SAMPLED = 20;

/** What a page was that has more than a page may have. */
interface PageExtent {
  readonly records: number;
  /** Of the records, as JSON. */
  readonly bytes: number;
  readonly cursor: number;
}

/** A fault of a source's. */
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

  /** @param page asks for one page; its errors are told behind the pages that came before. */
  constructor(
    private readonly page: (cursor: Cursor | null) => Promise<SourcePage>,
    from: Cursor | null,
  ) {
    void this.read(from);
  }

  /** Asks for no more pages; those that were asked for are still given. */
  stop(): void {
    this.stopped = true;
    this.stir();
  }

  /**
   * Whether something can be taken, or everything was.
   * @param milliseconds to wait at most.
   */
  async ready(milliseconds: number): Promise<boolean> {
    const isReady = (): boolean => this.waiting.length > 0 || this.ended;
    if (isReady()) return true;
    await this.stirredWithin(milliseconds);
    return isReady();
  }

  /** Waits until as much can be taken as one transaction writes, or all that there is. @param milliseconds at most. */
  async gathered(milliseconds: number): Promise<void> {
    const until = performance.now() + milliseconds;
    while (!this.hasWaiting(1) && !this.ended && !this.stopped) {
      const left = until - performance.now();
      if (left <= 0) return;
      await this.stirredWithin(left);
    }
  }

  /**
   * Pages that wait, as many as one transaction writes; undefined when there are none.
   * @throws what asking for the page behind them threw, and PageBeyondBounds.
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

  /** Whether as many records wait as so many batches have, or as many bytes as may be held. */
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

/** How large records are as JSON, by one of every so many. */
function bytesOf(records: readonly ForeignRecord[], step: number): number {
  let bytes = 0;
  let looked = 0;
  for (let place = 0; place < records.length; place += step) {
    bytes += sizeOf(records[place]);
    looked++;
  }
  return looked === 0 ? 0 : (bytes / looked) * records.length;
}

/** As JSON; what is nested so deep that it cannot be written counts for nothing, and is an error of its row later. */
function sizeOf(value: unknown): number {
  try {
    return Buffer.byteLength(JSON.stringify(value));
  } catch (error) {
    if (error instanceof RangeError) return 0;
    throw error;
  }
}
