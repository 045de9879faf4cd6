/**
 * Writes a value's text so that it stays a value wherever it stands in HTML: nothing that data says can open a tag,
 * leave an attribute or add a parameter to a link.
 *
 * Dark corners:
 * - Behind `?` or `#` of a link a value is percent-encoded as a whole. Before it, what would end the path is
 *   encoded and `/` is kept; a colon is kept only behind a static scheme or slash.
 * - A value at the very start of a link is the whole address and is only HTML-escaped; `javascript:`, `vbscript:`
 *   and `data:` (other than images) become `#`.
 * - In a script a value is written with \u escapes, which JSON-LD in order confirmations can read.
 * - Between attributes and in unquoted values white space and `=` are escaped too.
 */
import type { Place } from './html-place.js';

export type Escape = (text: string) => string;

const htmlEntities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text for HTML content and quoted attributes. */
function escapeHtml(text: string): string {
  for (let index = 0; index < text.length; index++) {
    if (isSpecial(text.charCodeAt(index))) {
      return text.replace(/[&<>"']/g, (character) => htmlEntities[character] ?? '');
    }
  }
  return text;
}

/** Whether a character code is one of & < > " '; a loop over codes beats a regular expression on short texts. */
function isSpecial(code: number): boolean {
  return code < 63 && (code === 60 || code === 62 || code === 38 || code === 34 || code === 39);
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
      return escapeHtml;
    case 'script':
      return escapeScript;
    case 'attribute':
      return place.quoted ? escapeHtml : escapeUnquoted;
    case 'link': {
      const inHtml = place.quoted ? escapeHtml : escapeUnquoted;
      if (place.part === 'start') return (text) => inHtml(withoutScript(text));
      if (place.part === 'query') return (text) => inHtml(percentEncode(text));
      const { anchored } = place;
      return (text) => inHtml(encodePath(text, anchored));
    }
  }
}

/** A lone half of a surrogate pair cannot be encoded and becomes the replacement character. */
function percentEncode(text: string): string {
  return encodeURIComponent(
    text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd'),
  );
}

function encodePath(text: string, anchored: boolean): string {
  const encoded = percentEncode(text).replace(/%(?:2F|40|2B|2C|3B|3D|24)/g, decodeURIComponent);
  return anchored ? encoded.replaceAll('%3A', ':') : encoded;
}

function withoutScript(text: string): string {
  const bare = text.slice(0, 200).replace(/[\s\p{Cc}]/gu, '');
  return /^(?:javascript|vbscript|data(?!:image\/(?:png|gif|jpe?g|webp)[;,])):/i.test(bare) ? '#' : text;
}
