/**
 * Cuts a CSV to a size that can be attached to an email: whole records up to a limit in bytes, however large the
 * report.
 */
import type { Readable } from 'node:stream';

/** Maximum size of an attached file in bytes. */
export const MAX_CSV_BYTES = 1_048_576;

export interface BoundedCsv {
  readonly content: Buffer;
  /** Number of records in the file, without the header, if some were cut; null if it is complete. */
  readonly truncatedAfter: number | null;
}

const QUOTE = 0x22;
const END = 0x0a;

/** Reads a stream up to the limit, and destroys it there. */
export async function boundedCsv(content: Readable, maxBytes: number = MAX_CSV_BYTES): Promise<BoundedCsv> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of content) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : (chunk as Buffer);
    chunks.push(bytes);
    size += bytes.length;
    // Leaving the loop destroys the stream.
    if (size > maxBytes) break;
  }
  const whole = Buffer.concat(chunks);
  return size > maxBytes ? truncate(whole, maxBytes) : { content: whole, truncatedAfter: null };
}

/** Cuts after the last complete record within the limit. A line break inside quotes does not end a record. */
function truncate(whole: Buffer, maxBytes: number): BoundedCsv {
  let isQuoted = false;
  let records = 0;
  let end = 0;
  for (let at = 0; at < maxBytes; at++) {
    if (whole[at] === QUOTE) isQuoted = !isQuoted;
    else if (whole[at] === END && !isQuoted) {
      records++;
      end = at + 1;
    }
  }
  return { content: whole.subarray(0, end), truncatedAfter: Math.max(0, records - 1) };
}
