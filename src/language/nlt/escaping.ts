/**
 * Writes a value's text so that it stays a value wherever it stands in HTML: nothing that data says can open a tag,
 * leave an attribute or add a parameter to a link.
 *
 * Dark corners:
 * - Behind `?` or `#` of a link a value is percent-encoded as a whole. Before it, what would end the path is
 *   encoded and `/` is kept; a colon is kept only behind a static scheme or slash.
 * - A value at the very start of a link is the whole address and is only HTML-escaped; `javascript:`, `vbscript:`
 *   and `data:` (other than images) become `#`, as the URL standard would read them.
 * - A value behind the first slash of a link cannot add a second one, which would make it the name of a host.
 * - In a script a value is written with \u escapes, which JSON-LD in order confirmations can read.
 * - Between attributes and in unquoted values white space and `=` are escaped too.
 */
import type { LinkPlace, Place } from './html-state.js';
import { WORK } from './limits.js';

export type Escape = (text: string) => string;

const htmlEntities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text for HTML content and quoted attributes. A loop over character codes: on short texts it beats a pattern. */
function escapeHtml(text: string): string {
  let escaped = '';
  let done = 0;
  for (let index = 0; index < text.length; index++) {
    const entity = entityOf(text.charCodeAt(index));
    if (entity === '') continue;
    escaped += text.slice(done, index) + entity;
    done = index + 1;
  }
  return done === 0 ? text : escaped + text.slice(done);
}

function entityOf(code: number): string {
  if (code > 62) return '';
  switch (code) {
    case 34:
      return '&quot;';
    case 38:
      return '&amp;';
    case 39:
      return '&#39;';
    case 60:
      return '&lt;';
    case 62:
      return '&gt;';
    default:
      return '';
  }
}

/** Behind a lone `<` a letter would begin a tag; its entity does not. */
function escapeAfterLess(text: string): string {
  const begins = /^[a-zA-Z/!?]/.test(text);
  return begins ? `&#${text.charCodeAt(0)};${escapeHtml(text.slice(1))}` : escapeHtml(text);
}

function escapeUnquoted(text: string): string {
  return text.replace(/[^\p{L}\p{N}_.,:;/%#?+@!*~()-]/gu, (character) => {
    return htmlEntities[character] ?? `&#${character.codePointAt(0) ?? 0};`;
  });
}

function escapeScript(text: string): string {
  return text.replace(/[\\<>&'"`$\p{Cc}\u2028\u2029]/gu, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** The function for a place. */
export function escapeFor(place: Place): Escape {
  switch (place.kind) {
    case 'text':
      return place.afterLess ? escapeAfterLess : escapeHtml;
    case 'script':
      return escapeScript;
    case 'unsure':
      return (text) => escapeUnquoted(withoutScript(text));
    case 'attribute':
      return place.quoted ? escapeHtml : escapeUnquoted;
    case 'link': {
      const inHtml = place.quoted ? escapeHtml : escapeUnquoted;
      const inLink = linkEscape(place);
      return (text) => inHtml(inLink(text));
    }
  }
}

/** The function for a place in the address of a link that stands in plain text. */
export function escapeAddress(place: Place): Escape {
  if (place.kind === 'link' && place.part !== 'start') return linkEscape(place);
  // Browsers take line breaks out of an address.
  return (text) => withoutScript(text).replace(/[\t\n\r]+/g, '');
}

/** What becomes of a value in a link before it is written as HTML. */
function linkEscape({ part, anchored }: LinkPlace): Escape {
  switch (part) {
    case 'start':
      return withoutScript;
    case 'query':
      return percentEncode;
    case 'slash':
      return (text) => encodePath(text, anchored).replace(/^\//, '%2F');
    case 'path':
      return (text) => encodePath(text, anchored);
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

/** Schemes that run what they hold. One without its colon might get that from the template. */
const SCRIPT = /^(?:javascript|vbscript|data(?!:image\/(?:png|gif|jpe?g|webp)[;,]))(?::|$)/i;

/** So many characters tell whether an address runs a script. */
const HEAD = 32;

/** The text, unless it is an address that a browser would run. */
function withoutScript(text: string): string {
  return SCRIPT.test(addressHead(text)) ? '#' : text;
}

/**
 * The first characters of an address as the URL standard reads it: without control characters and spaces before it,
 * and without tabs and line breaks anywhere, however many of them there are.
 */
function addressHead(text: string): string {
  let head = '';
  for (let index = 0; index < text.length && head.length < HEAD; index++) {
    const code = text.charCodeAt(index);
    const isLeftOut = code <= 0x20 && (head === '' || code === 0x09 || code === 0x0a || code === 0x0d);
    if (!isLeftOut) head += text.charAt(index);
  }
  return head;
}
