/**
 * Cuts a CSV to a size that can be attached to an email: whole records up to a limit in bytes, however large the
 * report.
 */
import type { Readable } from 'node:stream';

/** Maximum size of an attached file in bytes. */
export const MOST_CSV = 1_048_576;

export interface BoundedCsv {
  readonly content: Buffer;
  /** Number of records in the file, without the header, if some were cut; null if it is complete. */
  readonly cutAfter: number | null;
}

const QUOTE = 0x22;
const END = 0x0a;

/** Reads a stream up to the limit, and destroys it there. */
export async function boundedCsv(content: Readable, most: number = MOST_CSV): Promise<BoundedCsv> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of content) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : (chunk as Buffer);
    chunks.push(bytes);
    size += bytes.length;
    // Leaving the loop destroys the stream.
    if (size > most) break;
  }
  const whole = Buffer.concat(chunks);
  return size > most ? cut(whole, most) : { content: whole, cutAfter: null };
}

/** Cuts after the last complete record within the limit. A line break inside quotes does not end a record. */
function cut(whole: Buffer, most: number): BoundedCsv {
  let isQuoted = false;
  let records = 0;
  let end = 0;
  for (let at = 0; at < most; at++) {
    if (whole[at] === QUOTE) isQuoted = !isQuoted;
    else if (whole[at] === END && !isQuoted) {
      records++;
      end = at + 1;
    }
  }
  return { content: whole.subarray(0, end), cutAfter: Math.max(0, records - 1) };
}
