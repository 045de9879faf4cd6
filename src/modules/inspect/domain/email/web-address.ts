/** Reads the address of a link or an image as a browser does, if it is certain. */
import { CONTROL_FLOW_MARK, VALUE_MARK } from './blanked-source.js';

export interface WebAddress {
  /** As written, with the marks of blanked expressions, without surrounding blanks. */
  readonly text: string;
  /** With a letter in place of each expression. */
  readonly url: URL;
}

/** Longer addresses, in characters, are not read: browsers cut or refuse them anyway. */
const MAX_ADDRESS_LENGTH = 8_000;

/** Null unless it is exactly one complete http or https address. */
export function webAddress(value: string | undefined): WebAddress | null {
  const text = value?.trim() ?? '';
  if (
    text.length > MAX_ADDRESS_LENGTH ||
    text.includes(CONTROL_FLOW_MARK) ||
    !/^https?:\/\/[^/?#\s]/i.test(text)
  )
    return null;
  const whole = text.replaceAll(VALUE_MARK, 'x');
  return URL.canParse(whole) ? { text, url: new URL(whole) } : null;
}

/** Decodes the escapes in a part of an address; returns it as written if they are not valid text. */
export function decodedText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}
