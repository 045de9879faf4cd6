/** Base64 in lines of 76 characters, RFC 2045: the transfer encoding of bodies, written straight into the message. */

const BYTES_PER_LINE = 57;
const CHARACTERS_PER_LINE = 76;

/** Bytes that `length` bytes take once they are encoded, each line with its CRLF. */
export function encodedLength(length: number): number {
  return Math.ceil(length / 3) * 4 + Math.ceil(length / BYTES_PER_LINE) * 2;
}

/** Encodes `bytes` into `target` from `offset` on; gives the offset behind the last CRLF. */
export function writeBase64Lines(target: Buffer, offset: number, bytes: Buffer): number {
  const encoded = bytes.toString('base64');
  let at = offset;
  for (let from = 0; from < encoded.length; from += CHARACTERS_PER_LINE) {
    at += target.write(encoded.slice(from, from + CHARACTERS_PER_LINE), at, 'latin1');
    target[at++] = 0x0d;
    target[at++] = 0x0a;
  }
  return at;
}
