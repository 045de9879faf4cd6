/**
 * An uploaded file as a source (section 4.9). Cells of CSV stay text, except in Waypost's own exports; an empty cell
 * changes nothing. An unreadable record becomes an error, and reading continues after it.
 */
import { automaticMapping } from '../files/suggested-mapping.js';
import type { FileFormatInfo } from '../files/import-file.js';
import { contractNestedFields, isOwnExport, OWN_FIELDS, ownNestedFields } from '../files/own-export.js';
import { skipHeader, detectReaderState, readMore, readerOf } from '../files/open-file.js';
import {
  INITIAL_STATE,
  AT_END,
  NEEDS_MORE,
  PAUSES,
  type JsonPhase,
  type RawRecord,
  type ReaderState,
  type RecordReader,
} from '../files/raw-record.js';
import { TextWindow } from '../files/text-window.js';
import { optOutOfFile } from '../opt-out-names.js';
import { moreSevere, optOutFromField } from '../opt-outs.js';
import type { NestedFields, SourceContact, SourceRecord, OptOutReason } from '../source-record.js';
import type { JsonObject, JsonValue } from '../../../../kernel/json.js';
import {
  type Cursor,
  type ImportSource,
  type SourceCalls,
  SourceFailure,
  type SourcePage,
} from '../import-source.js';
import { countIn, unreadable } from './source-fields.js';

/** Maximum number of records of a page. */
const MAX_PAGE_RECORDS = 1_000;
/** Maximum number of characters that a page reads. With one more record, this is at most 8 MB. */
const MAX_PAGE_CHARACTERS = 1_500_000;

/** Number of characters that are read before the thread is yielded. */
const CHARACTERS_PER_YIELD = 65_536;

export interface SourceFile extends FileFormatInfo {
  readonly id: string;
  readonly name: string;
  /** Size in bytes. */
  readonly size: number;
}

/**
 * The source of a file. While it is in memory, it continues where its last page ended, without reading anything
 * twice.
 */
export function fileSource(file: SourceFile): ImportSource {
  let open: { readonly calls: SourceCalls; readonly reading: FileReading; readonly next: string } | undefined;
  return {
    fields: isOwnExport(file) ? OWN_FIELDS : automaticMapping(file.columns),
    problemOf: () => null,
    assets: () => Promise.resolve([]),
    page: async (_, cursor, calls) => {
      const isContinuing = open?.calls === calls && cursor !== null && open.next === JSON.stringify(cursor);
      const reading = isContinuing && open ? open.reading : await FileReading.open(file, cursor, calls);
      open = undefined;
      const page = await reading.page();
      if (page.next !== null) open = { calls, reading, next: JSON.stringify(page.next) };
      return page;
    },
  };
}

class FileReading {
  private readonly kind: FileKind;

  private constructor(
    private readonly file: SourceFile,
    private readonly window: TextWindow,
    private readonly reader: RecordReader,
    /** Number of the last record read. */
    private row: number,
  ) {
    this.kind = { isOwn: isOwnExport(file), isJson: file.format !== 'csv', optOut: optOutOfFile(file.name) };
  }

  static async open(file: SourceFile, cursor: Cursor | null, calls: SourceCalls): Promise<FileReading> {
    const offset = countIn(cursor?.['offset']) ?? 0;
    const window = new TextWindow(calls.read(file.id, offset)[Symbol.asyncIterator](), file.encoding, offset);
    const beginning = await detectReaderState(window);
    if (window.isEnd && window.text === '' && offset < file.size)
      throw new SourceFailure('file_unreadable', 'The file no longer exists.');
    const state = offset > 0 ? stateOf(cursor) : beginning;
    if (offset === 0 && file.format === 'csv') await skipHeader(window, file.separator ?? ',', state);
    return new FileReading(file, window, readerOf(file, window, state), countIn(cursor?.['row']) ?? 0);
  }

  async page(): Promise<SourcePage> {
    const { window, reader } = this;
    const records: SourceRecord[] = [];
    const end = window.position() + MAX_PAGE_CHARACTERS;
    let lastYieldAt = window.position();
    while (records.length < MAX_PAGE_RECORDS && window.position() < end) {
      const record = reader.next();
      if (record === AT_END || (record === NEEDS_MORE && !(await readMore(window, reader))))
        return { records, next: null, share: 1 };
      if (record !== NEEDS_MORE && record !== PAUSES)
        records.push(sourceRecord(record, ++this.row, this.kind));
      if (record !== PAUSES && window.position() - lastYieldAt < CHARACTERS_PER_YIELD) continue;
      await new Promise(setImmediate);
      lastYieldAt = window.position();
    }
    const offset = window.offset();
    const next = { offset, row: this.row, ...reader.state() };
    return { records, next, share: Math.min(1, offset / Math.max(1, this.file.size)) };
  }
}

interface FileKind {
  /** Whether Waypost has written the file. */
  readonly isOwn: boolean;
  readonly isJson: boolean;
  /** The opt-out that the file's name implies for all people in it. */
  readonly optOut: OptOutReason | null;
}

function sourceRecord(
  { fields, problem, readablePart }: RawRecord,
  row: number,
  kind: FileKind,
): SourceRecord {
  if (fields === null)
    return unreadable(row, null, problem, readablePart && contactIn(readablePart, row, kind));
  const apart = kind.isOwn ? ownNestedFields(fields) : undefined;
  if (typeof apart === 'string') return unreadable(row, null, apart, contactIn(fields, row, kind));
  return contactIn(fields, row, kind, apart);
}

function contactIn(members: JsonObject, row: number, kind: FileKind, own?: NestedFields): SourceContact {
  const fields = members as Readonly<Record<string, JsonValue>>;
  const apart = own ?? (kind.isJson && !kind.isOwn ? contractNestedFields(fields) : undefined);
  const nestedOptOut = own ? null : mostSevereOptOut(apart?.properties ?? {});
  const optOut = moreSevere(kind.optOut, moreSevere(mostSevereOptOut(fields), nestedOptOut));
  return { kind: 'contact', row, externalId: null, fields, optOut, ...(apart ? { apart } : {}) };
}

/** The opt-out that fields named for it contain, even if no job maps them, and even if only few records have them. */
function mostSevereOptOut(fields: Readonly<Record<string, JsonValue>>): OptOutReason | null {
  let optOut: OptOutReason | null = null;
  for (const name in fields) {
    const value = fields[name];
    if (value !== undefined) optOut = moreSevere(optOut, optOutFromField(name, value));
  }
  return optOut;
}

function stateOf(cursor: Cursor | null): ReaderState {
  const phase = cursor?.['phase'];
  return {
    isPassingOver: cursor?.['isPassingOver'] === true,
    distrusted: countIn(cursor?.['distrusted']) ?? 0,
    isOldMac: cursor?.['isOldMac'] === true,
    phase: typeof phase === 'string' ? (phase as JsonPhase) : INITIAL_STATE.phase,
  };
}
