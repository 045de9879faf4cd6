/** Encodes a text as UTF-8, piece by piece if it is large: see buildMessage. */

/** Characters that are encoded without a yield. */
const CHUNK_CHARS = 131_072;

/** The text in UTF-8, as Buffer.from encodes it. Yields after each piece except the last. */
export function* utf8(text: string): Generator<void, Buffer> {
  if (text.length <= CHUNK_CHARS) return Buffer.from(text);
  const bytes = Buffer.allocUnsafe(Buffer.byteLength(text));
  let at = 0;
  for (let from = 0; from < text.length;) {
    if (from > 0) yield;
    let to = from + CHUNK_CHARS;
    // Keeps both halves of a surrogate pair in one piece.
    if (isFirstHalf(text.charCodeAt(to - 1)) && isSecondHalf(text.charCodeAt(to))) to++;
    at += bytes.write(text.slice(from, to), at);
    from = to;
  }
  return bytes;
}

function isFirstHalf(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

function isSecondHalf(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}
