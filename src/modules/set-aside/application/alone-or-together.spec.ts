import { setImmediate as turn } from 'node:timers/promises';
import { AloneOrTogether } from './alone-or-together.js';

let turns: AloneOrTogether;
let log: string[];
beforeEach(() => {
  turns = new AloneOrTogether();
  log = [];
});

/** Work that starts and finishes on command and records both. */
function piece(name: string, how: 'together' | 'alone'): () => void {
  let finish: () => void = () => undefined;
  const over = new Promise<void>((resolve) => (finish = resolve));
  void turns[how](async () => {
    log.push(`${name} begins`);
    await over;
    log.push(`${name} ends`);
  });
  return finish;
}

test('many work together, one alone, and who comes first is first', async () => {
  const endA = piece('a', 'together');
  const endB = piece('b', 'together');
  const endSole = piece('sole', 'alone');
  const endLate = piece('late', 'together');
  const endLater = piece('later', 'together');
  const endSecond = piece('second', 'alone');
  await turn();
  expect(log.splice(0)).toEqual(['a begins', 'b begins']);
  endB();
  await turn();
  expect(log.splice(0)).toEqual(['b ends']);
  endA();
  await turn();
  expect(log.splice(0)).toEqual(['a ends', 'sole begins']);
  endSole();
  await turn();
  expect(log.splice(0)).toEqual(['sole ends', 'late begins', 'later begins']);
  endLate();
  endLater();
  await turn();
  expect(log.splice(0)).toEqual(['late ends', 'later ends', 'second begins']);
  endSecond();
});

test('work that fails gives its turn on', async () => {
  const fail = async (): Promise<never> => Promise.reject(new Error('no'));
  await expect(turns.alone(fail)).rejects.toThrow('no');
  await expect(turns.together(fail)).rejects.toThrow('no');
  expect(await turns.alone(async () => Promise.resolve('done'))).toBe('done');
});
