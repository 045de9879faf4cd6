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

/** Records in batches of bounded size. Each batch is read when the consumer requests it. */
export type Batched<Row> = AsyncIterable<readonly Row[]>;

/**
 * Yields the records of a plan, in its order. Each batch is read in its own transaction, so that a slow reader holds no
 * connection. Records deleted in the meantime are left out.
 * @param plan ids and sizes of all records.
 * @param load reads the records with these ids, in any order.
 */
export async function* batched<Row extends { readonly id: string }>(
  plan: readonly Sized[],
  load: (ids: readonly string[]) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  for (const ids of batchesOf(plan)) {
    const rows = new Map((await load(ids)).map((row) => [row.id, row]));
    yield ids.flatMap((id) => rows.get(id) ?? []);
  }
}
