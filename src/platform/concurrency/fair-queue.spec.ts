import { FairQueue, type FairQueueLimits } from './fair-queue.js';

const ALL: FairQueueLimits = { running: 2, waiting: 6, waitingBytes: 1_000 };
const ONE: FairQueueLimits = { running: 1, waiting: 3, waitingBytes: 500 };

/** A queue whose work records its name when it starts. */
function opened(all = ALL, one = ONE) {
  const begun: string[] = [];
  const queue = new FairQueue(all, one);
  const enter = (name: string, bytes = 1) => queue.request(name.charAt(0), bytes, () => begun.push(name));
  return { begun, turns: queue, enter };
}

describe('turns', () => {
  it('begin at once while there is room', () => {
    const { begun, enter } = opened();
    enter('a1');
    enter('b1');
    expect(begun).toEqual(['a1', 'b1']);
  });

  it('never give one owner all of the room', () => {
    const { begun, enter } = opened();
    for (const name of ['a1', 'a2', 'a3']) enter(name);
    expect(begun).toEqual(['a1']);
    enter('b1');
    expect(begun).toEqual(['a1', 'b1']);
  });

  it('go round among the owners, whoever came first with many', () => {
    const { begun, enter } = opened({ ...ALL, running: 1 }, ONE);
    const first = enter('a1');
    const entered = ['a2', 'a3', 'b1', 'b2', 'c1'].map((name) => [name, enter(name)] as const);
    first?.release();
    for (let ended = 1; ended < 6; ended++) new Map(entered).get(begun.at(-1) ?? '')?.release();
    expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2']);
  });

  it('are refused when the queue of the owner is full, and others still come in', () => {
    const { enter } = opened();
    for (const name of ['a1', 'a2', 'a3', 'a4']) expect(enter(name)).toBeDefined();
    expect(enter('a5')).toBeUndefined();
    expect(enter('b1')).toBeDefined();
  });

  it('are refused when the whole queue is full', () => {
    const { enter } = opened();
    for (const name of ['a1', 'b1', 'c1', 'c2', 'c3', 'd1', 'd2', 'd3']) expect(enter(name)).toBeDefined();
    expect(enter('e1')).toBeUndefined();
  });

  it('are refused for bytes, of the owner and of all', () => {
    const { enter } = opened();
    enter('a1', 5_000);
    enter('b1');
    expect(enter('a2', 501)).toBeUndefined();
    expect(enter('a2', 500)).toBeDefined();
    expect(enter('c1', 400)).toBeDefined();
    expect(enter('d1', 101)).toBeUndefined();
  });

  it('give their bytes back when they begin or leave', () => {
    const { enter } = opened();
    const running = enter('a1', 500);
    const waiting = enter('a2', 500);
    waiting?.release();
    expect(enter('a3', 500)).toBeDefined();
    running?.release();
    expect(enter('a4', 500)).toBeDefined();
  });

  it('never begin after they have left', () => {
    const { begun, enter, turns: queue } = opened();
    const running = enter('a1');
    enter('a2')?.release();
    expect(queue.waiting).toBe(0);
    running?.release();
    expect(begun).toEqual(['a1']);
  });

  it('are over once, however often they leave', () => {
    const { begun, enter } = opened({ ...ALL, running: 1 }, ONE);
    const first = enter('a1');
    enter('b1');
    enter('c1');
    first?.release();
    first?.release();
    expect(begun).toEqual(['a1', 'b1']);
  });

  it('fill all of the room that has come free', () => {
    const { begun, enter } = opened({ ...ALL, running: 4 }, { ...ONE, running: 2 });
    const first = [enter('a1'), enter('a2'), enter('b1'), enter('b2')];
    for (const name of ['c1', 'c2']) enter(name);
    for (const turn of first) turn?.release();
    expect(begun).toEqual(['a1', 'a2', 'b1', 'b2', 'c1', 'c2']);
  });
});
