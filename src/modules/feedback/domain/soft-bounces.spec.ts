import { DAY } from '../../../kernel/duration.js';
import { isDeadBySoftBounces, type HistoryMessage } from './soft-bounces.js';

const START = Date.parse('2026-03-02T09:00:00.000Z');
const SILENT = {
  deliveredAt: null,
  openedAt: null,
  clickedAt: null,
  bouncedAt: null,
  bounceKind: null,
  complainedAt: null,
};
const sent = (days: number): HistoryMessage => ({ ...SILENT, sentAt: new Date(START + days * DAY) });
const soft = (days: number): HistoryMessage => ({
  ...sent(days),
  bouncedAt: new Date(START + days * DAY),
  bounceKind: 'soft',
});
const arrived = (days: number): HistoryMessage => ({
  ...sent(days),
  deliveredAt: new Date(START + days * DAY),
});

test.each<[string, HistoryMessage[], boolean]>([
  ['none', [], false],
  ['two', [soft(9), soft(0)], false],
  ['three within less than three days', [soft(2.9), soft(1), soft(0)], false],
  ['three over three days', [soft(3), soft(1), soft(0)], true],
  ['in whichever order they are given', [soft(0), soft(3), soft(1)], true],
  ['one arrived in between', [soft(9), soft(8), arrived(5), soft(1), soft(0)], false],
  ['one arrived before', [soft(9), soft(8), soft(5), arrived(1)], true],
  ['one arrived since', [arrived(10), soft(9), soft(8), soft(5)], false],
  ['messages of which nothing was heard', [sent(10), soft(9), sent(8), soft(5), sent(4), soft(1)], true],
  [
    'a soft bounce that was delivered later',
    [soft(9), { ...soft(8), deliveredAt: new Date(START + 8.5 * DAY) }, soft(0)],
    false,
  ],
])('%s', (_name, story, dead) => {
  expect(isDeadBySoftBounces(story)).toBe(dead);
});
