/** Consecutive pages of a source that are written together. */
import type { SourceRecord } from './source-record.js';
import type { Cursor, SourcePage } from './import-source.js';
import type { ReportedSize } from './checkpoint.js';

export interface PageBatch extends ReportedSize {
  readonly records: readonly SourceRecord[];
  /** Where the source continues after them; null if there is nothing more. */
  readonly next: Cursor | null;
  /** Milliseconds after which to query the source again; undefined means immediately. */
  readonly retryAfterMs?: number | undefined;
}

/** Joins consecutive pages into one. What the last page reports about the source applies. */
export function joinedPages(pages: readonly SourcePage[]): PageBatch {
  const last = pages.at(-1);
  const latest = <Name extends 'total' | 'share'>(name: Name): number | undefined =>
    pages.findLast((page) => page[name] !== undefined)?.[name];
  return {
    records: pages.length === 1 ? (last?.records ?? []) : pages.flatMap(({ records }) => records),
    next: last?.next ?? null,
    total: latest('total'),
    share: latest('share'),
    retryAfterMs: last?.retryAfterMs,
  };
}
