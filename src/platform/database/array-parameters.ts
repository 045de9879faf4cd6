/**
 * Arrays as parameters in PostgreSQL's own binary format, for statements that carry hundreds of rows: as texts each
 * element has to be quoted here and unquoted there, JSON quote by quote. The casts of the statement must name the very
 * type (`$1::jsonb[]`), since nothing is converted.
 */

type Texts = readonly (string | null)[];

const INTEGER = 23;
const UUID = 2950;
const TEXT = 25;
const JSONB = 3802;
const TIMESTAMPTZ = 1184;

/** Version of the binary format of jsonb, before each of its texts. */
const JSONB_VERSION = 1;
/** Milliseconds from the Unix epoch to PostgreSQL's, 2000-01-01. */
const EPOCH = 946_684_800_000;

/** `text[]`. A text with NUL is refused by PostgreSQL (22021), as in any other format. */
export function textArray(texts: Texts): Buffer {
  return arrayOf(
    TEXT,
    texts,
    (text) => Buffer.byteLength(text),
    (buffer, text, at, size) => buffer.write(text, at, size),
  );
}

/** `jsonb[]` of JSON texts. What is no JSON is refused by PostgreSQL (22P02). */
export function jsonbArray(texts: Texts): Buffer {
  return arrayOf(
    JSONB,
    texts,
    (text) => 1 + Buffer.byteLength(text),
    (buffer, text, at, size) => {
      buffer[at] = JSONB_VERSION;
      buffer.write(text, at + 1, size - 1);
    },
  );
}

/** `uuid[]` of ids in their usual form: 32 hexadecimal digits, with or without hyphens. */
export function uuidArray(ids: Texts): Buffer {
  return arrayOf(
    UUID,
    ids,
    () => 16,
    (buffer, id, at) => {
      if (buffer.write(id.replaceAll('-', ''), at, 16, 'hex') !== 16) throw new TypeError('Not a UUID.');
    },
  );
}

/** `int[]` of whole numbers of 32 bits. */
export function integerArray(numbers: readonly (number | null)[]): Buffer {
  return arrayOf(
    INTEGER,
    numbers,
    () => 4,
    (buffer, number, at) => buffer.writeInt32BE(number, at),
  );
}

/** `timestamptz[]` of moments, exact to the millisecond. */
export function momentArray(moments: readonly (Date | null)[]): Buffer {
  return arrayOf(
    TIMESTAMPTZ,
    moments,
    () => 8,
    (buffer, moment, at) => buffer.writeBigInt64BE(BigInt(moment.getTime() - EPOCH) * 1_000n, at),
  );
}

function arrayOf<Element>(
  type: number,
  elements: readonly (Element | null)[],
  sizeOf: (element: Element) => number,
  write: (buffer: Buffer, element: Element, at: number, size: number) => unknown,
): Buffer {
  if (elements.length === 0) return header(type, 12, 0);
  let bytes = 20 + 4 * elements.length;
  const sizes = elements.map((element) => (element === null ? -1 : sizeOf(element)));
  for (const size of sizes) if (size > 0) bytes += size;
  const buffer = header(type, bytes, 1);
  buffer.writeInt32BE(elements.length, 12);
  buffer.writeInt32BE(1, 16);
  let at = 20;
  elements.forEach((element, index) => {
    const size = sizes[index] ?? -1;
    at = buffer.writeInt32BE(size, at);
    if (element === null) return;
    write(buffer, element, at, size);
    at += size;
  });
  return buffer;
}

/** Number of dimensions, whether there are nulls (PostgreSQL looks for itself), type of the elements. */
function header(type: number, bytes: number, dimensions: number): Buffer {
  const buffer = Buffer.allocUnsafe(bytes);
  buffer.writeInt32BE(dimensions, 0);
  buffer.writeInt32BE(1, 4);
  buffer.writeInt32BE(type, 8);
  return buffer;
}
