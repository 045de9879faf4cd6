import { Readable } from 'node:stream';
import { boundedCsv } from './bounded-csv.js';

const of = (...chunks: string[]): Readable => Readable.from(chunks.map((chunk) => Buffer.from(chunk)));

test('what fits comes as it is', async () => {
  expect(await boundedCsv(of('a,b\n', '1,2\n'), 8)).toEqual({
    content: Buffer.from('a,b\n1,2\n'),
    truncatedAfter: null,
  });
  expect(await boundedCsv(of(), 8)).toEqual({ content: Buffer.alloc(0), truncatedAfter: null });
});

test('what does not is cut behind a record, and the rest is not read', async () => {
  const stream = of('a,b\n1,2\n', '3,4\n5,', '6\n', 'never\n');
  expect(await boundedCsv(stream, 13)).toEqual({
    content: Buffer.from('a,b\n1,2\n3,4\n'),
    truncatedAfter: 2,
  });
  expect(stream.destroyed).toBe(true);
});

test('a line break within quotes ends no record', async () => {
  const { content, truncatedAfter: truncatedAfter } = await boundedCsv(
    of('a\n"x ""y""\nz"\n"long\nand longer"\n'),
    22,
  );
  expect([content.toString(), truncatedAfter]).toEqual(['a\n"x ""y""\nz"\n', 1]);
});

test('a first record that is too long leaves nothing', async () => {
  expect(await boundedCsv(of('abcdefgh\n'), 4)).toEqual({ content: Buffer.alloc(0), truncatedAfter: 0 });
});
