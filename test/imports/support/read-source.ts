/** Reads a source to its end. Each cursor is stored as JSON between two pages, as after a kill. */
import type { SourceContact, SourceRecord } from '../../../src/modules/imports/domain/source-record.js';
import type {
  Cursor,
  ImportSource,
  SourceCalls,
  SourcePage,
} from '../../../src/modules/imports/domain/import-source.js';
import type { Credentials } from '../../../src/modules/imports/domain/platform.js';

/** Pages after which a source counts as endless. */
const MOST_PAGES = 1_000;
/** Maximum bytes of a cursor's JSON. */
const LARGEST_CURSOR = 16_384;

export interface ReadSource {
  readonly records: SourceRecord[];
  readonly pages: SourcePage[];
}

/** @param onPage called with each page and its number, from 1, before the next one is requested. */
export async function readSource(
  source: ImportSource,
  credentials: Credentials,
  calls: SourceCalls,
  onPage: (page: SourcePage, number: number) => void = () => undefined,
): Promise<ReadSource> {
  const pages: SourcePage[] = [];
  let cursor: Cursor | null = null;
  do {
    const page: SourcePage = await source.page(credentials, cursor, calls);
    pages.push(page);
    if (pages.length > MOST_PAGES) throw new Error('The source has no end.');
    const stored = JSON.stringify(page.next);
    if (Buffer.byteLength(stored) > LARGEST_CURSOR) throw new Error('The cursor is too large.');
    cursor = JSON.parse(stored) as Cursor | null;
    onPage(page, pages.length);
  } while (cursor !== null);
  return { records: pages.flatMap(({ records }) => records), pages };
}

export function contactsOf(records: readonly SourceRecord[]): SourceContact[] {
  return records.filter((record) => record.kind === 'contact');
}
