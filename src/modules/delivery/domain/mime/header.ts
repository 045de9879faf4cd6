/**
 * Header fields of a message: RFC 5322 folding, RFC 2047 encoded words. No value can end its field: control characters,
 * including CR and LF, become spaces.
 */
import type { Mailbox } from '../email-address.js';

const FOLDED_LINE_CHARS = 76;
/** Longest line that SMTP lets through, without its line end. */
const MAX_LINE_CHARS = 998;

/** One field with its CRLF. The value may be any text. */
export function textField(name: string, value: string): string {
  const clean = oneLine(value);
  const folded = isPlain(clean) ? fold(name.length + 2, clean) : undefined;
  return `${name}: ${folded ?? encodedWords(clean, name.length + 2)}\r\n`;
}

/**
 * One field with a mailbox.
 * @throws TypeError when the address contains characters that would end the field or the angle brackets.
 */
export function mailboxField(name: string, { address, name: display }: Mailbox): string {
  if (/[\s<>\p{Cc}]/u.test(address))
    throw new TypeError('An address must not contain white space or brackets.');
  const clean = oneLine(display).trim();
  if (clean === '') return `${name}: ${address}\r\n`;
  const phrase =
    isPlain(clean) && clean.length <= FOLDED_LINE_CHARS
      ? quoted(clean)
      : encodedWords(clean, name.length + 2);
  const lastLine = phrase.length - (phrase.lastIndexOf('\n') + 1);
  const gap = lastLine + name.length + address.length + 5 > FOLDED_LINE_CHARS ? '\r\n ' : ' ';
  return `${name}: ${phrase}${gap}<${address}>\r\n`;
}

/**
 * One field whose value comes from the product and must not be changed, such as an address in angle brackets.
 * @throws TypeError when the value is not printable ASCII or too long for a line.
 */
export function exactField(name: string, value: string): string {
  if (!/^[\x20-\x7e]*$/.test(value) || value.length + name.length + 2 > MAX_LINE_CHARS)
    throw new TypeError(`The value of ${name} cannot be used in a header.`);
  return `${name}: ${value}\r\n`;
}

function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
}

/** Whether the text can be used unchanged: printable ASCII that no reader takes for an encoded word. */
function isPlain(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text) && !text.includes('=?');
}

/**
 * The text broken at spaces into lines of at most 76 characters; undefined if that would change it or a word is too
 * long.
 */
function fold(offset: number, text: string): string | undefined {
  if (offset + text.length <= FOLDED_LINE_CHARS) return /^ | $/.test(text) ? undefined : text;
  // Folding is undone by removing line breaks, but readers differ about runs of spaces around them.
  if (/^ | {2}| $/.test(text)) return undefined;
  let folded = '';
  let width = offset;
  for (const word of text.split(' ')) {
    if (word.length >= FOLDED_LINE_CHARS) return undefined;
    if (folded === '') {
      folded = word;
      width += word.length;
    } else if (width + 1 + word.length > FOLDED_LINE_CHARS) {
      folded += `\r\n ${word}`;
      width = 1 + word.length;
    } else {
      folded += ` ${word}`;
      width += 1 + word.length;
    }
  }
  return folded;
}

/** Bytes in an encoded word: 75 characters without `=?UTF-8?B??=`, in base64. */
const ENCODED_WORD_BYTES = 45;

function encodedWords(text: string, offset: number): string {
  const words: string[] = [];
  let bytes = 0;
  let from = 0;
  let at = 0;
  // The first word shares its line with the field's name.
  let capacity = Math.max(ENCODED_WORD_BYTES - Math.ceil((offset * 3) / 4), 6);
  const close = (): void => {
    words.push(`=?UTF-8?B?${Buffer.from(text.slice(from, at)).toString('base64')}?=`);
  };
  for (const character of text) {
    const size = Buffer.byteLength(character);
    if (bytes + size > capacity) {
      close();
      from = at;
      bytes = 0;
      capacity = ENCODED_WORD_BYTES;
    }
    bytes += size;
    at += character.length;
  }
  close();
  return words.join('\r\n ');
}

function quoted(text: string): string {
  return /^[\w!#$%&'*+\-/=?^`{|}~ ]+$/.test(text) ? text : `"${text.replace(/["\\]/g, '\\$&')}"`;
}
