/**
 * An uploaded file as a source (section 4.9). Cells of CSV stay text, except in Waypost's own exports; an empty cell
 * changes nothing. An unreadable record becomes an error, and reading continues after it.
 */
import { automaticMapping } from '../files/suggested-mapping.js';
import type { FileFacts } from '../files/import-file.js';
import { contractFieldsApart, isOwnExport, OWN_FIELDS, ownFieldsApart } from '../files/own-export.js';
import { passHeader, readBeginning, readOn, readerOf } from '../files/open-file.js';
import {
  AT_BEGINNING,
  AT_END,
  NEEDS_MORE,
  PAUSES,
  type JsonPhase,
  type RawRecord,
  type ReaderState,
  type RecordReader,
} from '../files/raw-record.js';
import { TextWindow } from '../files/text-window.js';
import { optOutOfFile } from '../opt-out-files.js';
import { graver, optOutTold } from '../opt-outs.js';
import type { FieldsApart, ForeignContact, ForeignRecord, OptOutReason } from '../foreign-contact.js';
import type { JsonObject, JsonValue } from '../../../../kernel/json.js';
import {
  type Cursor,
  type ImportSource,
  type SourceCalls,
  SourceFailure,
  type SourcePage,
} from '../import-source.js';
import { countIn, unreadable } from './foreign-fields.js';

/** Maximum number of records of a page. */
const MOST_RECORDS = 1_000;
/** Maximum number of characters that a page reads. With one more record, this is at most 8 MB. */
const MOST_CHARACTERS = 1_500_000;

/** Number of characters that are read before the thread is yielded. */
const CHARACTERS_AT_ONCE = 65_536;

export interface SourceFile extends FileFacts {
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
    things: () => Promise.resolve([]),
    page: async (_, cursor, calls) => {
      const isGoingOn = open?.calls === calls && cursor !== null && open.next === JSON.stringify(cursor);
      const reading = isGoingOn && open ? open.reading : await FileReading.open(file, cursor, calls);
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
    const beginning = await readBeginning(window);
    if (window.isEnd && window.text === '' && offset < file.size)
      throw new SourceFailure('file_unreadable', 'The file no longer exists.');
    const state = offset > 0 ? stateOf(cursor) : beginning;
    if (offset === 0 && file.format === 'csv') await passHeader(window, file.separator ?? ',', state);
    return new FileReading(file, window, readerOf(file, window, state), countIn(cursor?.['row']) ?? 0);
  }

  async page(): Promise<SourcePage> {
    const { window, reader } = this;
    const records: ForeignRecord[] = [];
    const end = window.position() + MOST_CHARACTERS;
    let rested = window.position();
    while (records.length < MOST_RECORDS && window.position() < end) {
      const record = reader.next();
      if (record === AT_END || (record === NEEDS_MORE && !(await readOn(window, reader))))
        return { records, next: null, share: 1 };
      if (record !== NEEDS_MORE && record !== PAUSES)
        records.push(foreignRecord(record, ++this.row, this.kind));
      if (record !== PAUSES && window.position() - rested < CHARACTERS_AT_ONCE) continue;
      await new Promise(setImmediate);
      rested = window.position();
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

function foreignRecord({ fields, problem, heard }: RawRecord, row: number, kind: FileKind): ForeignRecord {
  if (fields === null) return unreadable(row, null, problem, heard && contactIn(heard, row, kind));
  const apart = kind.isOwn ? ownFieldsApart(fields) : undefined;
  if (typeof apart === 'string') return unreadable(row, null, apart, contactIn(fields, row, kind));
  return contactIn(fields, row, kind, apart);
}

function contactIn(members: JsonObject, row: number, kind: FileKind, own?: FieldsApart): ForeignContact {
  const fields = members as Readonly<Record<string, JsonValue>>;
  const apart = own ?? (kind.isJson && !kind.isOwn ? contractFieldsApart(fields) : undefined);
  const among = own ? null : optOutAmong(apart?.properties ?? {});
  const optOut = graver(kind.optOut, graver(optOutAmong(fields), among));
  return { kind: 'contact', row, externalId: null, fields, optOut, ...(apart ? { apart } : {}) };
}

/** The opt-out that fields named for it contain, even if no job maps them, and even if only few records have them. */
function optOutAmong(fields: Readonly<Record<string, JsonValue>>): OptOutReason | null {
  let optOut: OptOutReason | null = null;
  for (const name in fields) {
    const value = fields[name];
    if (value !== undefined) optOut = graver(optOut, optOutTold(name, value));
  }
  return optOut;
}

function stateOf(cursor: Cursor | null): ReaderState {
  const phase = cursor?.['phase'];
  return {
    isPassingOver: cursor?.['isPassingOver'] === true,
    distrusted: countIn(cursor?.['distrusted']) ?? 0,
    isOldMac: cursor?.['isOldMac'] === true,
    phase: typeof phase === 'string' ? (phase as JsonPhase) : AT_BEGINNING.phase,
  };
}
