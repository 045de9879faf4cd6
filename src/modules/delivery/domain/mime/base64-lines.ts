/** Base64 in lines of 76 characters, RFC 2045: the transfer encoding of bodies, written directly into the message. */

const BYTES_PER_LINE = 57;
const CHARACTERS_PER_LINE = 76;

/** The size of `length` bytes after encoding, each line with its CRLF. */
export function encodedLength(length: number): number {
  return Math.ceil(length / 3) * 4 + Math.ceil(length / BYTES_PER_LINE) * 2;
}

/** Bytes that are encoded without a yield: whole lines, a millisecond or two. */
const CHUNK_BYTES = BYTES_PER_LINE * 4_096;

/**
 * Encodes `bytes` into `target` from `offset` on. Returns the offset after the last CRLF. Yields after each piece
 * except the last, so that other work can run.
 */
export function* writeBase64Lines(target: Buffer, offset: number, bytes: Buffer): Generator<void, number> {
  let at = offset;
  for (let start = 0; start < bytes.length; start += CHUNK_BYTES) {
    if (start > 0) yield;
    const encoded = bytes.toString('base64', start, start + CHUNK_BYTES);
    for (let from = 0; from < encoded.length; from += CHARACTERS_PER_LINE) {
      at += target.write(encoded.slice(from, from + CHARACTERS_PER_LINE), at, 'latin1');
      target[at++] = 0x0d;
      target[at++] = 0x0a;
    }
  }
  return at;
}
