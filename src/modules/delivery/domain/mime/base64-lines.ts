/** Base64 in lines of 76 characters, RFC 2045: the transfer encoding of bodies, written straight into the message. */

const BYTES_PER_LINE = 57;
const CHARACTERS_PER_LINE = 76;

/** Bytes that `length` bytes take once they are encoded, each line with its CRLF. */
export function encodedLength(length: number): number {
  return Math.ceil(length / 3) * 4 + Math.ceil(length / BYTES_PER_LINE) * 2;
}

/** Bytes that are encoded in one go: whole lines, and a millisecond or two. */
const PIECE = BYTES_PER_LINE * 4_096;

/**
 * Encodes `bytes` into `target` from `offset` on; gives the offset behind the last CRLF. Stops after each piece but the
 * last, so that others may be served in between.
 */
export function* writeBase64Lines(target: Buffer, offset: number, bytes: Buffer): Generator<void, number> {
  let at = offset;
  for (let start = 0; start < bytes.length; start += PIECE) {
    if (start > 0) yield;
    const encoded = bytes.toString('base64', start, start + PIECE);
    for (let from = 0; from < encoded.length; from += CHARACTERS_PER_LINE) {
      at += target.write(encoded.slice(from, from + CHARACTERS_PER_LINE), at, 'latin1');
      target[at++] = 0x0d;
      target[at++] = 0x0a;
    }
  }
  return at;
}
