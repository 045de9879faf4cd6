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
  BLOCKED_ADDRESS,
  sanitizePossibleAddress,
  sanitizeTextWithAddresses,
  sanitizeAddress,
} from './address-safety.js';
import type { Lookahead } from './address-state.js';
import { WORK_COST } from './limits.js';
import type { LinkContext, EscapeContext } from './escape-context.js';

export type Escape = (text: string) => string;

/** After a lone `<` a letter would start a tag; its entity does not. */
function escapeAfterLessThan(text: string): string {
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

function digitsOnly(text: string): string {
  return /^\d+$/.test(text) ? text : '';
}

/** The escaping function for a context; `lookahead` describes the text after the value. */
export function escapeFor(context: EscapeContext, lookahead: Lookahead): Escape {
  const escape = escapeIn(context, lookahead);
  return context.isComment ? (text) => withoutCommentEnd(escape(text), context) : escape;
}

/** The escaped value without dashes that a `>` of the template would turn into the end of a comment. */
function withoutCommentEnd(written: string, { kind }: EscapeContext): string {
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

function escapeIn(context: EscapeContext, lookahead: Lookahead): Escape {
  switch (context.kind) {
    case 'text':
      return context.afterLessThan ? escapeAfterLessThan : escapeHtml;
    case 'tag':
      return digitsOnly;
    case 'script':
      return context.quoted ? escapeScript : (text) => escapeUnquoted(escapeScript(text));
    case 'style': {
      if (context.inElement) return escapeStyle;
      const inHtml = context.quoted ? escapeHtml : escapeUnquoted;
      return (text) => inHtml(escapeStyle(text));
    }
    case 'unsure':
      return (text) => escapeUnquotedName(sanitizePossibleAddress(text, lookahead.joinsScheme));
    case 'comment':
      return (text) => escapeComment(sanitizePossibleAddress(text, lookahead.joinsScheme));
    case 'refresh': {
      const inHtml = context.quoted ? escapeHtml : escapeUnquoted;
      return (text) => inHtml(sanitizeTextWithAddresses(text, lookahead.joinsScheme));
    }
    case 'attribute':
      return context.quoted ? escapeHtml : escapeUnquotedName;
    case 'link': {
      const inHtml = context.quoted ? escapeHtml : escapeUnquoted;
      const inLink = linkEscape(context, lookahead);
      if (context.within === 'html') return (text) => inHtml(inLink(text));
      if (context.within === 'style element') return (text) => escapeUrlOfStyle(inLink(text));
      return (text) => inHtml(escapeUrlOfStyle(inLink(text)));
    }
  }
}

/** The escaping function for a value in the address of a link in plain text. */
export function escapeAddress(context: EscapeContext, lookahead: Lookahead): Escape {
  const inLink =
    context.kind === 'link'
      ? linkEscape(context, lookahead)
      : (text: string) => sanitizePossibleAddress(text, lookahead.joinsScheme);
  // Browsers remove line breaks from an address.
  return (text) => inLink(text).replace(/[\t\n\r]+/g, '');
}

/** Encodes a value in a link, before HTML escaping. */
function linkEscape(context: LinkContext, lookahead: Lookahead): Escape {
  const write = partEscape(context);
  if (context.anchored || context.part === 'query') return write;
  return (text) => (lookahead.joinsScheme && isForbiddenScheme(text) ? BLOCKED_ADDRESS : write(text));
}

function partEscape({ part, anchored, isPicture }: LinkContext): Escape {
  switch (part) {
    case 'start':
      return (text) => sanitizeAddress(text, isPicture);
    case 'query':
      return percentEncode;
    case 'slash':
      return (text) => encodePath(text, anchored).replace(/^\//, '%2F');
    case 'path':
      return (text) => encodePath(text, anchored);
    case 'reference':
      return () => BLOCKED_ADDRESS;
  }
}

/** The cost of the function for a context, per character, in the units of MAX_WORK. */
export function escapeCost(context: EscapeContext): number {
  const isPlain = context.kind === 'text' || (context.kind === 'attribute' && context.quoted);
  return isPlain ? WORK_COST.escape : WORK_COST.encode;
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
