import { runCooperatively, mapCooperatively } from './run-cooperatively.js';

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
  expect(await runCooperatively(work())).toBe('done');
  expect(order).toEqual(['first', 'another', 'second', 'third']);
});

test('of items that take long others have their turn in between', async () => {
  const order: string[] = [];
  const busy = (milliseconds: number) => (item: string) => {
    const until = performance.now() + milliseconds;
    if (order.length === 0) setImmediate(() => order.push('another'));
    order.push(item);
    while (performance.now() < until);
    return item.toUpperCase();
  };
  expect(await mapCooperatively(['a', 'b'], busy(20))).toEqual(['A', 'B']);
  expect(order).toEqual(['a', 'another', 'b']);
});
