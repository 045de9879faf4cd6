import type { WorkKind } from '../domain/dead-letter.js';
import { WorkQueues, type WorkQueue } from './work-queue.js';

const queue = (kind: WorkKind): WorkQueue => ({
  kind,
  wakeUp: { name: kind, queue: kind } as WorkQueue['wakeUp'],
  dequeue: () => Promise.resolve(true),
  requeue: () => Promise.resolve(true),
});

test('a kind names its queue', () => {
  const [events, trips] = [queue('event'), queue('trip')];
  const queues = new WorkQueues([events, trips]);
  expect(queues.of('trip')).toBe(trips);
  expect(() => queues.of('send')).toThrow('No queue has the kind send.');
});

test('two queues of one kind do not start: work would come back to the wrong one', () =>
  expect(() => new WorkQueues([queue('trip'), queue('event'), queue('trip')])).toThrow(/have the same kind/));
