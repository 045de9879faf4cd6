import { setImmediate as turn } from 'node:timers/promises';
import { SharedExclusiveLock } from './shared-exclusive-lock.js';

let lock: SharedExclusiveLock;
let log: string[];
beforeEach(() => {
  lock = new SharedExclusiveLock();
  log = [];
});

/** Work that starts and finishes on command and records both. */
function piece(name: string, how: 'runShared' | 'runExclusive'): () => void {
  let finish: () => void = () => undefined;
  const over = new Promise<void>((resolve) => (finish = resolve));
  void lock[how](async () => {
    log.push(`${name} begins`);
    await over;
    log.push(`${name} ends`);
  });
  return finish;
}

test('many work together, one alone, and who comes first is first', async () => {
  const endA = piece('a', 'runShared');
  const endB = piece('b', 'runShared');
  const endSole = piece('sole', 'runExclusive');
  const endLate = piece('late', 'runShared');
  const endLater = piece('later', 'runShared');
  const endSecond = piece('second', 'runExclusive');
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
  await expect(lock.runExclusive(fail)).rejects.toThrow('no');
  await expect(lock.runShared(fail)).rejects.toThrow('no');
  expect(await lock.runExclusive(async () => Promise.resolve('done'))).toBe('done');
});
