import type { FlowStatus } from './flow.js';
import { nextStatus, type FlowAction } from './flow-transitions.js';

const REFUSED = undefined;
const TABLE: readonly [status: FlowStatus, action: FlowAction, next: FlowStatus | undefined][] = [
  ['draft', 'activate', 'active'],
  ['paused', 'activate', 'active'],
  ['stopped', 'activate', 'active'],
  ['active', 'activate', REFUSED],
  ['archived', 'activate', REFUSED],
  ['active', 'pause', 'paused'],
  ['draft', 'pause', REFUSED],
  ['paused', 'pause', REFUSED],
  ['stopped', 'pause', REFUSED],
  ['archived', 'pause', REFUSED],
  ['active', 'stop', 'stopped'],
  ['draft', 'stop', REFUSED],
  ['paused', 'stop', REFUSED],
  ['stopped', 'stop', REFUSED],
  ['archived', 'stop', REFUSED],
];

test.each(TABLE)('%s, %s: %s', (status, action, next) => {
  expect(nextStatus(status, action)).toBe(next);
});
