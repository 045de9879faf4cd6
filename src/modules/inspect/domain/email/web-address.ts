/** The address of a link or an image as a browser reads it, where that is certain. */
import { STEERING, VALUE } from './blanked-source.js';

export interface WebAddress {
  /** As it is written, with the marks of blanked expressions, without blanks around it. */
  readonly text: string;
  /** With a letter in place of each expression. */
  readonly url: URL;
}

/** Characters beyond which an address is not read: it is cut or refused anyway. */
const LONGEST = 8_000;

/** Null for what is no whole http or https address, or may be several. */
export function webAddress(value: string | undefined): WebAddress | null {
  const text = value?.trim() ?? '';
  if (text.length > LONGEST || text.includes(STEERING) || !/^https?:\/\/[^/?#\s]/i.test(text)) return null;
  const whole = text.replaceAll(VALUE, 'x');
  return URL.canParse(whole) ? { text, url: new URL(whole) } : null;
}
