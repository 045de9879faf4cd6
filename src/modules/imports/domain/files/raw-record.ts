/** What readers of files give: records one after the other, also those that cannot be read, and when they need more. */
import type { JsonObject } from '../../../../kernel/json.js';

/** Characters of one record; what is longer is unreadable, and is passed over without being kept. */
export const LONGEST_RECORD = 1_048_576;

/** Fields of one record, and columns of a file. */
export const MOST_COLUMNS = 1_000;

export interface RawRecord {
  /** Null where it cannot be read. */
  readonly fields: JsonObject | null;
  /** Why it cannot be read, as a sentence; empty where it can. */
  readonly problem: string;
  /** What could be read of a record that cannot be read as a whole. */
  readonly heard?: JsonObject | undefined;
}

export const NEEDS_MORE = Symbol('NEEDS_MORE');
/** As much was done as one go may take, and no record found: to be asked again once others have had the thread. */
export const PAUSES = Symbol('PAUSES');
export const AT_END = Symbol('AT_END');
export type NextRecord = RawRecord | typeof NEEDS_MORE | typeof PAUSES | typeof AT_END;

/** Where a reader of JSON is: before the list, in it, between items without a list, behind the list, or done. */
export type JsonPhase = 'beginning' | 'list' | 'loose' | 'behind' | 'over';

/** Where a reader stands beyond its place in the file; small, and storable as JSON. */
export interface ReaderState {
  /** What is passed over: the rest of a record that does not end. */
  readonly isPassingOver: boolean;
  /** Characters ahead in which no record goes on where it could end, since one has that never ended. */
  readonly distrusted: number;
  /** Whether lines end with a carriage return alone. */
  readonly isOldMac: boolean;
  readonly phase: JsonPhase;
}

export const AT_BEGINNING: ReaderState = {
  isPassingOver: false,
  distrusted: 0,
  isOldMac: false,
  phase: 'beginning',
};

export interface RecordReader {
  /** The next record of the window's text, after one piece of work at most. */
  next(): NextRecord;
  /** The window's text was cut at its beginning by so many characters, and has grown at its end. */
  moved(by: number): void;
  state(): ReaderState;
}

export const unreadable = (problem: string, heard?: JsonObject): RawRecord => ({
  fields: null,
  problem,
  heard,
});

export const TOO_LONG = `The record has more than ${LONGEST_RECORD.toLocaleString('en')} characters.`;
export const NOT_STORABLE =
  'The record contains a NUL character or an unpaired surrogate, which cannot be stored.';
