import { inPieces } from './in-pieces.js';

test('others have their turn between the pieces, and what is asked for comes at the end', async () => {
  const order: string[] = [];
  function* work(): Generator<void, string> {
    for (const piece of ['first', 'second', 'third']) {
      order.push(piece);
      if (piece === 'first') setImmediate(() => order.push('another'));
      yield;
    }
    return 'done';
  }
  expect(await inPieces(work())).toBe('done');
  expect(order).toEqual(['first', 'another', 'second', 'third']);
});
