/**
 * Divides long lists of large records into batches, so that memory use does not grow with the list. Sections 4.2 and
 * 4.3 define no paging.
 */

export interface Sized {
  readonly id: string;
  /** Approximate size in bytes. */
  readonly size: number;
}

const MAX_BATCH_BYTES = 8 * 1024 * 1024;
const MAX_BATCH_RECORDS = 500;

/** Divides the ids, in order, into batches of bounded size. A record larger than the bound gets its own batch. */
export function batchesOf(records: readonly Sized[]): readonly (readonly string[])[] {
  const batches: string[][] = [];
  let bytesLeft = 0;
  for (const { id, size } of records) {
    const last = batches.at(-1);
    if (last && size <= bytesLeft && last.length < MAX_BATCH_RECORDS) {
      last.push(id);
      bytesLeft -= size;
    } else {
      batches.push([id]);
      bytesLeft = MAX_BATCH_BYTES - size;
    }
  }
  return batches;
}
