/**
 * How long lists of large records are read: in pieces, so that a workspace of many large ones takes no more
 * memory than one of few. Sections 4.2 and 4.3 show no paging.
 */

export interface Sized {
  readonly id: string;
  /** Bytes, at least about. */
  readonly size: number;
}

const LARGEST_BATCH = 8 * 1024 * 1024;
const LONGEST_BATCH = 500;

/** The ids in their order, cut into pieces of bounded size; a record that is larger than a piece has one of its own. */
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
