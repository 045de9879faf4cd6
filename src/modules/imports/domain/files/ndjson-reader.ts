/** Reads NDJSON: one record per line. Skips lines without any text. */
import { jsonRecord } from './json-record.js';
import {
  AT_END,
  MAX_RECORD_CHARACTERS,
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
const MAX_BLANK_LINES = 1_000;

export class NdjsonReader implements RecordReader {
  private isSkipping: boolean;
  private readonly lineBreak: string;

  constructor(
    private readonly window: TextWindow,
    private readonly initialState: ReaderState,
  ) {
    this.isSkipping = initialState.isPassingOver;
    this.lineBreak = initialState.isOldMac ? '\r' : '\n';
  }

  shifted(): void {
    // Nothing to do: the reader stores no positions in the window.
  }

  state(): ReaderState {
    return { ...this.initialState, isPassingOver: this.isSkipping };
  }

  next(): NextRecord {
    const { window } = this;
    for (let lines = 0; lines < MAX_BLANK_LINES; lines++) {
      const { text, at, isEnd } = window;
      if (at >= text.length) return isEnd ? AT_END : NEEDS_MORE;
      const found = text.indexOf(this.lineBreak, at);
      const end = found < 0 ? text.length : found;
      if (found < 0 && !isEnd && text.length - at <= MAX_RECORD_CHARACTERS) return NEEDS_MORE;
      window.at = Math.min(end + 1, text.length);
      const wasSkipping = this.isSkipping;
      this.isSkipping = found < 0 && !isEnd;
      if (wasSkipping) continue;
      if (this.isSkipping) return unreadable(TOO_LONG);
      const line = text.slice(at, end);
      if (!BLANK.test(line)) return jsonRecord(line);
    }
    return PAUSES;
  }
}
