/** Reads a long list in batches, each in its own transaction, so that a slow reader holds no connection. */
import { batchesOf, type Sized } from './batches.js';

/** Records in batches of bounded size. Each batch is read when the consumer requests it. */
export type Batched<Row> = AsyncIterable<readonly Row[]>;

/**
 * Yields the records of a plan, in its order. Records deleted in the meantime are left out.
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
