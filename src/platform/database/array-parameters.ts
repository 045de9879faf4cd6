/**
 * Encodes array parameters in PostgreSQL's binary format, for statements that pass hundreds of rows. In text format
 * each element would be quoted by the client and unquoted by the server. The statement's casts must name the exact type
 * (`$1::jsonb[]`), because binary values are not converted.
 */

type Texts = readonly (string | null)[];

const INTEGER = 23;
const UUID = 2950;
const TEXT = 25;
const JSONB = 3802;
const TIMESTAMPTZ = 1184;

/** Version of the binary jsonb format; a prefix of each value. */
const JSONB_VERSION = 1;
/** Milliseconds from the Unix epoch to the PostgreSQL epoch, 2000-01-01. */
const EPOCH = 946_684_800_000;

/** `text[]`. PostgreSQL rejects a text that contains NUL (22021), as in any format. */
export function textArray(texts: Texts): Buffer {
  return arrayOf(
    TEXT,
    texts,
    (text) => Buffer.byteLength(text),
    (buffer, text, at, size) => buffer.write(text, at, size),
  );
}

/** `jsonb[]` of JSON texts. PostgreSQL rejects invalid JSON (22P02). */
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

/** `uuid[]` of ids in the usual form: 32 hexadecimal digits, with or without hyphens. */
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

/** `int[]` of 32-bit integers. */
export function integerArray(numbers: readonly (number | null)[]): Buffer {
  return arrayOf(
    INTEGER,
    numbers,
    () => 4,
    (buffer, number, at) => buffer.writeInt32BE(number, at),
  );
}

/** `timestamptz[]` with millisecond precision. */
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

/**
 * The array header: number of dimensions, the null flag (always set; PostgreSQL checks for itself) and the element
 * type.
 */
function header(type: number, bytes: number, dimensions: number): Buffer {
  const buffer = Buffer.allocUnsafe(bytes);
  buffer.writeInt32BE(dimensions, 0);
  buffer.writeInt32BE(1, 4);
  buffer.writeInt32BE(type, 8);
  return buffer;
}
