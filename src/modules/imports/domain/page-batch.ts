/** Pages of a source, one behind the other, that are written together. */
import type { ForeignRecord } from './foreign-contact.js';
import type { Cursor, SourcePage } from './import-source.js';
import type { Extent } from './checkpoint.js';

export interface PageBatch extends Extent {
  readonly records: readonly ForeignRecord[];
  /** Where the source goes on behind them; null: there is nothing. */
  readonly next: Cursor | null;
  /** Milliseconds after which the source is to be asked again; undefined: at once. */
  readonly again?: number | undefined;
}

/** Pages that follow each other as one: what the later one says of the source holds. */
export function joinedPages(pages: readonly SourcePage[]): PageBatch {
  const last = pages.at(-1);
  const latest = <Name extends 'total' | 'share'>(name: Name): number | undefined =>
    pages.findLast((page) => page[name] !== undefined)?.[name];
  return {
    records: pages.length === 1 ? (last?.records ?? []) : pages.flatMap(({ records }) => records),
    next: last?.next ?? null,
    total: latest('total'),
    share: latest('share'),
    again: last?.again,
  };
}
