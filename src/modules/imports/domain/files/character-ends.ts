/** Finds the last complete UTF-8 character in bytes that may be cut anywhere. */

/** Maximum bytes of a character. */
const MAX_CHARACTER_BYTES = 4;

/** The index after the last complete character, as far as the last bytes show. */
export function endOfCharacters(bytes: Buffer): number {
  for (let back = 1; back < MAX_CHARACTER_BYTES && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    return lengthBy(byte) > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

function lengthBy(first: number): number {
  if (first >= 0xf0) return 4;
  if (first >= 0xe0) return 3;
  return first >= 0xc0 ? 2 : 1;
}
