/**
 * Reads a JSON array with one record per item, or a sequence of objects without an array. An item without an end
 * costs only itself: what was read in search of its end is read again from one `}, {` to the next, so that it
 * swallows no other item.
 */
import { endOfValue } from './json-value-end.js';
import { jsonRecord } from './json-record.js';
import {
  AT_END,
  type JsonPhase,
  MAX_RECORD_CHARACTERS,
  NEEDS_MORE,
  type NextRecord,
  type ReaderState,
  type RecordReader,
  unreadable,
} from './raw-record.js';
import type { TextWindow } from './text-window.js';

/** Where one item certainly ends and the next begins, unless within a string. */
const BETWEEN_ITEMS = /\}\s*,\s*(?=\{)/g;
/** What may be the start of it at the end of a chunk. */
const MAYBE_BETWEEN = /^\}[\s,]*$/;
/** Maximum length of that, in characters. */
const MAX_BETWEEN_LENGTH = 1_024;

const NOT_CLOSED =
  'The record is incomplete: a bracket or quotation mark is not closed, it was truncated, or it is too long.';
const TRUNCATED = 'The list is incomplete: the file was truncated.';
const TRAILING_CONTENT = 'Content after the end of the list is ignored.';
const UNMATCHED_BRACKET = 'A closing bracket has no opening bracket.';

export class JsonReader implements RecordReader {
  private isSkipping: boolean;
  /** Up to this position, items end at the next certain boundary. */
  private unreliableTo: number;
  private phase: JsonPhase;

  constructor(
    private readonly window: TextWindow,
    private readonly initialState: ReaderState,
  ) {
    this.isSkipping = initialState.isPassingOver;
    this.unreliableTo = window.at + initialState.distrusted;
    this.phase = initialState.phase;
  }

  shifted(by: number): void {
    this.unreliableTo -= by;
  }

  state(): ReaderState {
    const unreliable = Math.max(0, this.unreliableTo - this.window.at);
    return {
      ...this.initialState,
      isPassingOver: this.isSkipping,
      distrusted: unreliable,
      phase: this.phase,
    };
  }

  next(): NextRecord {
    const { window } = this;
    if (this.isSkipping && !this.skipItem()) return window.isEnd ? AT_END : NEEDS_MORE;
    for (;;) {
      this.skip();
      if (this.phase === 'over') return AT_END;
      if (window.at >= window.text.length) return window.isEnd ? this.end() : NEEDS_MORE;
      const code = window.text.charCodeAt(window.at);
      if (this.phase === 'beginning') {
        this.phase = code === LIST ? 'list' : 'loose';
        if (code === LIST) window.at++;
      } else if (this.phase === 'behind') {
        this.phase = 'over';
        return unreadable(TRAILING_CONTENT);
      } else if (this.phase === 'list' && code === LIST_END) {
        this.phase = 'behind';
        window.at++;
      } else return window.at < this.unreliableTo ? this.unreliableItem() : this.item();
    }
  }

  private item(): NextRecord {
    const { window } = this;
    const { text, at, isEnd } = window;
    const { end, brokenAt } = endOfValue(text, at, isEnd);
    if (end === at) {
      window.at++;
      return unreadable(UNMATCHED_BRACKET);
    }
    if (end > at) {
      window.at = end;
      return jsonRecord(text.slice(at, end));
    }
    if (brokenAt < 0 && !isEnd && text.length - at <= MAX_RECORD_CHARACTERS) return NEEDS_MORE;
    this.unreliableTo = brokenAt < 0 ? text.length : brokenAt;
    this.isSkipping = true;
    return unreadable(NOT_CLOSED);
  }

  /** An item that ends at the next certain boundary. */
  private unreliableItem(): NextRecord {
    const { window } = this;
    const { text, at, isEnd } = window;
    const end = this.endOfItem(at);
    if (end !== undefined) {
      window.at = end;
      return jsonRecord(text.slice(at, end));
    }
    if (isEnd) return this.last(text.slice(at).trimEnd());
    if (text.length - at <= MAX_RECORD_CHARACTERS) return NEEDS_MORE;
    this.isSkipping = true;
    return unreadable(NOT_CLOSED);
  }

  private last(item: string): NextRecord {
    const isClosed = this.phase === 'list' && item.endsWith(']');
    this.window.at = this.window.text.length;
    this.phase = 'over';
    return jsonRecord(isClosed ? item.slice(0, -1) : item);
  }

  private endOfItem(from: number): number | undefined {
    BETWEEN_ITEMS.lastIndex = from;
    const found = BETWEEN_ITEMS.exec(this.window.text);
    return found ? found.index + 1 : undefined;
  }

  /** Skips to the next certain boundary. @returns false if it has not been read yet. */
  private skipItem(): boolean {
    const { window } = this;
    const { text, isEnd } = window;
    const end = this.endOfItem(window.at);
    if (end !== undefined) {
      window.at = end;
      this.isSkipping = false;
      return true;
    }
    const last = Math.max(text.lastIndexOf('}'), text.length - MAX_BETWEEN_LENGTH);
    const isMaybe = !isEnd && last >= window.at && MAYBE_BETWEEN.test(text.slice(last));
    window.at = isMaybe ? last : text.length;
    if (isEnd) this.phase = 'over';
    return false;
  }

  /** Skips what is between items. */
  private skip(): void {
    const { window } = this;
    const { text } = window;
    for (; window.at < text.length; window.at++) {
      const code = text.charCodeAt(window.at);
      if (code !== COMMA && code !== SPACE && (code < TAB || code > CARRIAGE_RETURN)) return;
    }
  }

  private end(): NextRecord {
    const isTruncated = this.phase === 'list';
    this.phase = 'over';
    return isTruncated ? unreadable(TRUNCATED) : AT_END;
  }
}

const LIST = 0x5b;
const LIST_END = 0x5d;
const COMMA = 0x2c;
const SPACE = 0x20;
const TAB = 0x09;
const CARRIAGE_RETURN = 0x0d;
