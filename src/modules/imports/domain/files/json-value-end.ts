/** Finds the end of a JSON value, and its depth, without parsing it. */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const LIST = 0x5b;
const LIST_END = 0x5d;
const OBJECT = 0x7b;
const OBJECT_END = 0x7d;

export interface ValueEnd {
  /** The index after the value; its start for a bracket that closes nothing; -1 if it does not end in the text. */
  readonly end: number;
  /** The index of a bracket that closes one of the other kind; -1 if there is none. */
  readonly brokenAt: number;
}

const NO_END: ValueEnd = { end: -1, brokenAt: -1 };

/** @param isWhole whether the text is complete, so that its end also ends a number or a word. */
export function endOfValue(text: string, start: number, isWhole: boolean): ValueEnd {
  const open: number[] = [];
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    switch (code) {
      case QUOTE: {
        const end = endOfText(text, at);
        if (end === undefined) return NO_END;
        at = end;
        break;
      }
      case OBJECT:
      case LIST:
        open.push(code + TO_CLOSING);
        break;
      case OBJECT_END:
      case LIST_END:
        if (open.length === 0) return { end: at, brokenAt: -1 };
        if (open.pop() !== code) return { end: -1, brokenAt: at };
        if (open.length === 0) return { end: at + 1, brokenAt: -1 };
        break;
      case COMMA:
        if (open.length === 0) return { end: at, brokenAt: -1 };
        break;
      default:
        break;
    }
  }
  return isWhole && open.length === 0 ? { end: text.length, brokenAt: -1 } : NO_END;
}

/** The difference between the codes of a bracket and its counterpart. */
const TO_CLOSING = OBJECT_END - OBJECT;

/**
 * Whether lists and objects are nested deeper than the limit, judged by brackets. Stops reading as soon as they are.
 */
export function isDeeperThan(text: string, levels: number): boolean {
  let open = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === OBJECT || code === LIST) {
      if (++open > levels) return true;
    } else if (code === OBJECT_END || code === LIST_END) open--;
    else if (code === QUOTE) at = endOfText(text, at) ?? text.length;
  }
  return false;
}

/** The index of the quotation mark that ends a string. */
function endOfText(text: string, start: number): number | undefined {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return end;
  }
  return undefined;
}
