/**
 * Writes a value's text so that it stays a value wherever it stands in HTML: nothing that data says can open a tag,
 * leave an attribute or add a parameter to a link.
 *
 * Dark corners:
 * - Behind `?` or `#` of a link a value is percent-encoded as a whole. Before it, what would end the path is
 *   encoded and `/` is kept; a colon is kept only behind a static scheme or slash.
 * - A value at the very start of a link is the whole address and is only HTML-escaped; a scheme that values may not
 *   have makes it `#` (address-safety.ts). So does a part of a scheme whose colon is the template's.
 * - A value behind the first slash of a link cannot add a second one, which would make it the name of a host.
 * - In a script a value is written with \u escapes, which JSON-LD in order confirmations can read. Nothing that calls
 *   or assigns is left, so that a value outside of quotes runs nothing either. In a handler (`onclick`), a `srcdoc` and
 *   wherever anything may be, it is the same.
 * - In a comment a value is written so that it is safe wherever a program finds the comment's end.
 * - In CSS a value is a word, a number, a colour or text in quotes: what would end it has an escape of CSS.
 * - Between attributes and in unquoted values white space and `=` are escaped too. A tag's name takes digits (`<h1>`).
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

/** Behind a lone `<` a letter would begin a tag; its entity does not. */
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

/** In an attribute's name a slash would end it; in a text and a value its entity is one. */
function escapeUnquotedName(text: string): string {
  return escapeUnquoted(text).replaceAll('/', '&#47;');
}

/** In a comment dashes could end it. */
function escapeComment(text: string): string {
  return escapeUnquoted(text).replace(/[-!]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Letters, digits and what stands in a number are left as they are. */
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

/** What would end a `url()`, with or without quotes. */
function escapeUrlOfStyle(text: string): string {
  return text.replace(/[\x00-\x20"'()<>\\]/g, (character) => {
    return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
  });
}

function digitsAlone(text: string): string {
  return /^\d+$/.test(text) ? text : '';
}

/** The function for a place; `joint` knows what stands behind the value. */
export function escapeFor(place: Place, joint: Joint): Escape {
  const escape = escapeAt(place, joint);
  return place.isComment ? (text) => withoutCommentEnd(escape(text), place) : escape;
}

/** What is written for a value, without dashes that a `>` of the template would make the end of a comment. */
function withoutCommentEnd(written: string, { kind }: Place): string {
  // From the end: a pattern would begin anew at each of many dashes.
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

/** The function for a place in the address of a link that stands in plain text. */
export function escapeAddress(place: Place, joint: Joint): Escape {
  const inLink =
    place.kind === 'link'
      ? linkEscape(place, joint)
      : (text: string) => textOrAddress(text, joint.joinsScheme);
  // Browsers take line breaks out of an address.
  return (text) => inLink(text).replace(/[\t\n\r]+/g, '');
}

/** What becomes of a value in a link before it is written as HTML. */
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

/** What the function for a place costs by the character, in the units of MAX_WORK. */
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
