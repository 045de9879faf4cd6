/**
 * Escapes a value for its context in HTML, so that no data can open a tag, leave an attribute or add a parameter to a
 * link.
 *
 * Edge cases:
 * - After `?` or `#` of a link a value is percent-encoded completely. Before it, characters that would end the path are
 *   encoded and `/` is kept; a colon is kept only after a static scheme or slash.
 * - A value at the very start of a link is the whole address and is only HTML-escaped; a scheme that values may not use
 *   makes it `#` (address-safety.ts). So does a part of a scheme whose colon is the template's.
 * - A value after the first slash of a link cannot add a second one, which would make the value a host name.
 * - In a script a value is written with \u escapes, which JSON-LD in order confirmations can parse. No character that
 *   calls or assigns remains, so a value outside of quotes executes nothing either. The same applies to handlers
 *   (`onclick`), to `srcdoc`, and where the context is unknown.
 * - In a comment a value is written so that it is safe wherever a program detects the end of the comment.
 * - In CSS a value is a word, a number, a colour or quoted text: characters that would end it get a CSS escape.
 * - Between attributes and in unquoted values white space and `=` are escaped too. A tag's name accepts digits
 *   (`<h1>`).
 */
import { entityOf, escapeHtml } from '../../kernel/escape-html.js';
import {
  isForbiddenScheme,
  NOWHERE,
  textOrAddress,
  textWithAddress,
  wholeAddress,
} from './address-safety.js';
import type { Joint } from './address-state.js';
import { WORK } from './limits.js';
import type { LinkPlace, Place } from './place.js';

export type Escape = (text: string) => string;

/** After a lone `<` a letter would start a tag; its entity does not. */
function escapeAfterLess(text: string): string {
  const begins = /^[a-zA-Z/!?]/.test(text);
  return begins ? `&#${text.charCodeAt(0)};${escapeHtml(text.slice(1))}` : escapeHtml(text);
}

function escapeUnquoted(text: string): string {
  return text.replace(/[^\p{L}\p{N}_.,:;/%#?+@!*~()-]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return entityOf(code) || `&#${code};`;
  });
}

/** In an attribute's name a slash would end the name; in a text or a value its entity is a slash. */
function escapeUnquotedName(text: string): string {
  return escapeUnquoted(text).replaceAll('/', '&#47;');
}

/** In a comment dashes could end it. */
function escapeComment(text: string): string {
  return escapeUnquoted(text).replace(/[-!]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Letters, digits and the characters of numbers are left unchanged. */
function escapeScript(text: string): string {
  return text.replace(/[^\w\u0080-\uffff .,+-]|[\u0080-\u009f\u2028\u2029]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

const COLOUR = /^(?:rgb|hsl)a?\([\d\s.,%/]{1,60}\)$/i;

function escapeStyle(text: string): string {
  if (COLOUR.test(text)) return text;
  return text.replace(
    /[^\w\u0080-\uffff .,%#!/+-]/g,
    (character) => `\\${character.charCodeAt(0).toString(16)} `,
  );
}

/** Escapes what would end a `url()`, with or without quotes. */
function escapeUrlOfStyle(text: string): string {
  return text.replace(/[\x00-\x20"'()<>\\]/g, (character) => {
    return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
  });
}

function digitsAlone(text: string): string {
  return /^\d+$/.test(text) ? text : '';
}

/** The escaping function for a context; `joint` describes the text after the value. */
export function escapeFor(place: Place, joint: Joint): Escape {
  const escape = escapeAt(place, joint);
  return place.isComment ? (text) => withoutCommentEnd(escape(text), place) : escape;
}

/** The escaped value without dashes that a `>` of the template would turn into the end of a comment. */
function withoutCommentEnd(written: string, { kind }: Place): string {
  // Scans from the end: a regular expression would restart at each dash of a long run.
  let end = written.length;
  while (end > 0 && '-!'.includes(written.charAt(end - 1))) end--;
  const escaped = written.slice(end).replace(/[-!]/g, (character) => {
    const code = character.charCodeAt(0);
    if (kind === 'script') return `\\u00${code.toString(16)}`;
    return kind === 'style' ? `\\${code.toString(16)} ` : `&#${code};`;
  });
  return written.slice(0, end) + escaped;
}

function escapeAt(place: Place, joint: Joint): Escape {
  switch (place.kind) {
    case 'text':
      return place.afterLess ? escapeAfterLess : escapeHtml;
    case 'tag':
      return digitsAlone;
    case 'script':
      return place.quoted ? escapeScript : (text) => escapeUnquoted(escapeScript(text));
    case 'style': {
      if (place.inElement) return escapeStyle;
      const inHtml = place.quoted ? escapeHtml : escapeUnquoted;
      return (text) => inHtml(escapeStyle(text));
    }
    case 'unsure':
      return (text) => escapeUnquotedName(textOrAddress(text, joint.joinsScheme));
    case 'comment':
      return (text) => escapeComment(textOrAddress(text, joint.joinsScheme));
    case 'refresh': {
      const inHtml = place.quoted ? escapeHtml : escapeUnquoted;
      return (text) => inHtml(textWithAddress(text, joint.joinsScheme));
    }
    case 'attribute':
      return place.quoted ? escapeHtml : escapeUnquotedName;
    case 'link': {
      const inHtml = place.quoted ? escapeHtml : escapeUnquoted;
      const inLink = linkEscape(place, joint);
      if (place.within === 'html') return (text) => inHtml(inLink(text));
      if (place.within === 'style element') return (text) => escapeUrlOfStyle(inLink(text));
      return (text) => inHtml(escapeUrlOfStyle(inLink(text)));
    }
  }
}

/** The escaping function for a value in the address of a link in plain text. */
export function escapeAddress(place: Place, joint: Joint): Escape {
  const inLink =
    place.kind === 'link'
      ? linkEscape(place, joint)
      : (text: string) => textOrAddress(text, joint.joinsScheme);
  // Browsers remove line breaks from an address.
  return (text) => inLink(text).replace(/[\t\n\r]+/g, '');
}

/** Encodes a value in a link, before HTML escaping. */
function linkEscape(place: LinkPlace, joint: Joint): Escape {
  const write = partEscape(place);
  if (place.anchored || place.part === 'query') return write;
  return (text) => (joint.joinsScheme && isForbiddenScheme(text) ? NOWHERE : write(text));
}

function partEscape({ part, anchored, isPicture }: LinkPlace): Escape {
  switch (part) {
    case 'start':
      return (text) => wholeAddress(text, isPicture);
    case 'query':
      return percentEncode;
    case 'slash':
      return (text) => encodePath(text, anchored).replace(/^\//, '%2F');
    case 'path':
      return (text) => encodePath(text, anchored);
    case 'reference':
      return () => NOWHERE;
  }
}

/** The cost of the function for a context, per character, in the units of MAX_WORK. */
export function escapePrice(place: Place): number {
  const isPlain = place.kind === 'text' || (place.kind === 'attribute' && place.quoted);
  return isPlain ? WORK.escape : WORK.encode;
}

/** A lone half of a surrogate pair cannot be encoded and becomes the replacement character. */
function percentEncode(text: string): string {
  if (/^[\w.~-]*$/.test(text)) return text;
  return encodeURIComponent(
    text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd'),
  );
}

function encodePath(text: string, anchored: boolean): string {
  const encoded = text.replace(/[^\w.~/@+,;=$-]+/g, percentEncode);
  return anchored ? encoded.replaceAll('%3A', ':') : encoded;
}
