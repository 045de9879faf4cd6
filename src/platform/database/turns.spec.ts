import { Turns } from './turns.js';

test('so many run, the others wait in their order, and a turn is given back once', async () => {
  const turns = new Turns(2);
  const first = await turns.take();
  const second = await turns.take();
  const came: string[] = [];
  const waiting = ['a', 'b', 'c'].map(async (name) => {
    const done = await turns.take();
    came.push(name);
    return done;
  });
  expect([turns.queued, came]).toEqual([3, []]);
  first();
  first();
  const doneA = await waiting[0];
  expect([turns.queued, came]).toEqual([2, ['a']]);
  second();
  doneA?.();
  await Promise.all(waiting);
  expect([turns.queued, came]).toEqual([0, ['a', 'b', 'c']]);
});

test('a turn that nobody waits for is free again', async () => {
  const turns = new Turns(1);
  (await turns.take())();
  (await turns.take())();
  expect(turns.queued).toBe(0);
});
