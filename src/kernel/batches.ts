/**
 * Divides long lists of large records into batches, so that memory use does not grow with the list. Sections 4.2 and
 * 4.3 define no paging.
 */

export interface Sized {
  readonly id: string;
  /** Approximate size in bytes. */
  readonly size: number;
}

const LARGEST_BATCH = 8 * 1024 * 1024;
const LONGEST_BATCH = 500;

/** Divides the ids, in order, into batches of bounded size. A record larger than the bound gets its own batch. */
export function batchesOf(records: readonly Sized[]): readonly (readonly string[])[] {
  const batches: string[][] = [];
  let room = 0;
  for (const { id, size } of records) {
    const last = batches.at(-1);
    if (last && size <= room && last.length < LONGEST_BATCH) {
      last.push(id);
      room -= size;
    } else {
      batches.push([id]);
      room = LARGEST_BATCH - size;
    }
  }
  return batches;
}
