/** The output of file readers: records in sequence, including unreadable ones, or a request for more data. */
import type { JsonObject } from '../../../../kernel/json.js';

/** Maximum length of a record, in characters. A longer one is unreadable, and is skipped without being stored. */
export const MAX_RECORD_CHARACTERS = 1_048_576;

/** Maximum number of fields of a record, and of columns of a file. */
export const MAX_COLUMNS = 1_000;

export interface RawRecord {
  /** Null if it cannot be read. */
  readonly fields: JsonObject | null;
  /** Why it cannot be read, as a sentence; empty if it can. */
  readonly problem: string;
  /** What could be read of a record that cannot be read as a whole. */
  readonly readablePart?: JsonObject | undefined;
}

export const NEEDS_MORE = Symbol('NEEDS_MORE');
/** One piece of work is done without finding a record. Call again after yielding the thread. */
export const PAUSES = Symbol('PAUSES');
export const AT_END = Symbol('AT_END');
export type NextRecord = RawRecord | typeof NEEDS_MORE | typeof PAUSES | typeof AT_END;

/** The position of a JSON reader: before the list, in it, between items without a list, after the list, or done. */
export type JsonPhase = 'beginning' | 'list' | 'loose' | 'behind' | 'over';

/** A reader's state besides its position in the file; small, and storable as JSON. */
export interface ReaderState {
  /** Whether the reader is skipping the rest of a record without an end. */
  readonly isPassingOver: boolean;
  /** Characters ahead in which a record ends at the first possible boundary, since an earlier one had no end. */
  readonly distrusted: number;
  /** Whether lines end with a carriage return alone. */
  readonly isOldMac: boolean;
  readonly phase: JsonPhase;
}

export const INITIAL_STATE: ReaderState = {
  isPassingOver: false,
  distrusted: 0,
  isOldMac: false,
  phase: 'beginning',
};

export interface RecordReader {
  /** The next record of the window's text, after at most one piece of work. */
  next(): NextRecord;
  /** The given number of characters was cut from the start of the window's text, and text was added at its end. */
  shifted(by: number): void;
  state(): ReaderState;
}

export const unreadable = (problem: string, readablePart?: JsonObject): RawRecord => ({
  fields: null,
  problem,
  readablePart,
});

export const TOO_LONG = `The record has more than ${MAX_RECORD_CHARACTERS.toLocaleString('en')} characters.`;
export const NOT_STORABLE =
  'The record contains a NUL character or an unpaired surrogate, which cannot be stored.';
