/**
 * Sends a list that the specification defines without paging (4.2, 4.3). A list that fits one batch is an ordinary
 * response. A longer list is streamed in batches at the client's pace, so that it is never in memory as a whole.
 */
import { Readable } from 'node:stream';
import { StreamableFile } from '@nestjs/common';
import { jsonText } from '../../kernel/json-text.js';
import type { Batched } from '../../kernel/batches.js';

/** @param present formats one record. */
export async function answerList<Row, Response extends object>(
  rows: Batched<Row>,
  present: (row: Row) => Response,
): Promise<Response[] | StreamableFile> {
  const batches = rows[Symbol.asyncIterator]();
  const first = await batches.next();
  if (first.done) return [];
  const second = await batches.next();
  if (second.done) return first.value.map(present);
  const text = jsonOf([first.value, second.value], batches, present);
  return new StreamableFile(Readable.from(text, { objectMode: false, highWaterMark: 1 }), {
    type: 'application/json; charset=utf-8',
  });
}

/** The text of a JSON array, one record at a time. */
async function* jsonOf<Row, Response extends object>(
  read: readonly (readonly Row[])[],
  rest: AsyncIterator<readonly Row[]>,
  present: (row: Row) => Response,
): AsyncGenerator<string> {
  let before = '[';
  for await (const batch of concatenate(read, rest))
    for (const row of batch) {
      yield before + jsonText(present(row));
      before = ',';
    }
  yield before === '[' ? '[]' : ']';
}

async function* concatenate<Item>(read: readonly Item[], rest: AsyncIterator<Item>): AsyncGenerator<Item> {
  yield* read;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}
