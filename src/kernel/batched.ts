/** Reads a long list piece by piece, each in a transaction of its own, so that a slow reader holds no connection. */
import { batchesOf, type Sized } from './batches.js';

/** Records in pieces of bounded size; each is read when it is asked for. */
export type Batched<Row> = AsyncIterable<readonly Row[]>;

/**
 * The records of a plan, in its order; those that are gone meanwhile are left out.
 * @param plan ids and sizes of all of them.
 * @param load reads the records of these ids, in any order.
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
