/** Reads NDJSON: one record per line. Skips lines without any text. */
import { jsonRecord } from './json-record.js';
import {
  AT_END,
  LONGEST_RECORD,
  NEEDS_MORE,
  type NextRecord,
  PAUSES,
  type ReaderState,
  type RecordReader,
  TOO_LONG,
  unreadable,
} from './raw-record.js';
import type { TextWindow } from './text-window.js';

const BLANK = /^\s*$/;
/** Blank lines that are skipped without a pause. */
const LINES_AT_ONCE = 1_000;

export class NdjsonReader implements RecordReader {
  private isPassingOver: boolean;
  private readonly lineBreak: string;

  constructor(
    private readonly window: TextWindow,
    private readonly begun: ReaderState,
  ) {
    this.isPassingOver = begun.isPassingOver;
    this.lineBreak = begun.isOldMac ? '\r' : '\n';
  }

  moved(): void {
    // Nothing to do: the reader stores no positions in the window.
  }

  state(): ReaderState {
    return { ...this.begun, isPassingOver: this.isPassingOver };
  }

  next(): NextRecord {
    const { window } = this;
    for (let lines = 0; lines < LINES_AT_ONCE; lines++) {
      const { text, at, isEnd } = window;
      if (at >= text.length) return isEnd ? AT_END : NEEDS_MORE;
      const found = text.indexOf(this.lineBreak, at);
      const end = found < 0 ? text.length : found;
      if (found < 0 && !isEnd && text.length - at <= LONGEST_RECORD) return NEEDS_MORE;
      window.at = Math.min(end + 1, text.length);
      const wasPassingOver = this.isPassingOver;
      this.isPassingOver = found < 0 && !isEnd;
      if (wasPassingOver) continue;
      if (this.isPassingOver) return unreadable(TOO_LONG);
      const line = text.slice(at, end);
      if (!BLANK.test(line)) return jsonRecord(line);
    }
    return PAUSES;
  }
}
