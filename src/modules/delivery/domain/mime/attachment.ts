/**
 * Files and images in a message, RFC 2183 and 2392. A file's name may be any text: it can never end its header field,
 * and mail programs get a valid file name.
 */
import { encodedLength, writeBase64Lines } from './base64-lines.js';
import type { Body } from './body.js';

export interface Attachment {
  readonly name: string;
  /** Set by the product itself, such as text/csv. */
  readonly contentType: 'text/csv' | 'image/png';
  readonly content: Buffer;
  /** For an image that the HTML shows: the id after `cid:`. Null for a file. */
  readonly contentId: string | null;
}

/** Maximum characters of a file's name, including its extension. */
const MAX_NAME_CHARS = 100;
/** Maximum characters of one line of a name that is not ASCII. */
const MAX_SEGMENT_CHARS = 60;

/**
 * The header of a part, including the empty line after it. @throws TypeError for a content id that is not valid in a
 * header field.
 */
export function attachedHead({ name, contentType, contentId }: Attachment): string {
  const charset = contentType === 'text/csv' ? '; charset=utf-8' : '';
  if (contentId !== null && !/^[\w.@-]{1,100}$/.test(contentId))
    throw new TypeError('A content ID may only contain letters, digits, dots and hyphens.');
  return (
    `Content-Type: ${contentType}${charset}\r\nContent-Transfer-Encoding: base64\r\n` +
    (contentId === null ? '' : `Content-ID: <${contentId}>\r\n`) +
    `Content-Disposition: ${contentId === null ? 'attachment' : 'inline'};\r\n${fileName(name)}\r\n\r\n`
  );
}

/** The content in base64. */
export function bodyOfBytes(bytes: Buffer): Body {
  return {
    encoding: 'base64',
    size: encodedLength(bytes.length),
    write: (target, at) => writeBase64Lines(target, at, bytes),
  };
}

/** The parameter `filename`: plain if every reader understands it, otherwise in pieces by RFC 2231. */
function fileName(name: string): string {
  const clean = shortened(
    name
      .toWellFormed()
      .replace(/[\p{C}\p{Zl}\p{Zp}/\\:*?"<>|]+/gu, '_')
      .trim(),
  );
  const shown = /^\.*$/.test(clean) ? 'file' : clean;
  if (/^[\x20-\x7e]+$/.test(shown) && shown.length <= MAX_SEGMENT_CHARS) return ` filename="${shown}"`;
  const encoded = encodeURIComponent(shown).replace(
    /['()!~]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16)}`,
  );
  const segments =
    encoded.match(new RegExp(`(?:%[0-9A-Fa-f]{2}|[^%]){1,${MAX_SEGMENT_CHARS / 3}}`, 'g')) ?? [];
  return segments.map((segment, n) => ` filename*${n}*=${n === 0 ? "UTF-8''" : ''}${segment}`).join(';\r\n');
}

/** Cuts the name before its extension, between characters. */
function shortened(name: string): string {
  const characters = [...name];
  if (characters.length <= MAX_NAME_CHARS) return name;
  const [extension = ''] = /\.\w{1,8}$/.exec(name) ?? [];
  return characters.slice(0, MAX_NAME_CHARS - extension.length).join('') + extension;
}
