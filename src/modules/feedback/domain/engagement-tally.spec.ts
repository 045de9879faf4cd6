import { NO_ENGAGEMENT, type Engagement } from '../../delivery/domain/engagement.js';
import { NO_SOURCE, summedChanges } from './engagement-tally.js';

const SENT = new Date('2026-03-02T09:59:59.999Z');
const AT = new Date('2026-03-03T01:00:00.000Z');
const opened = { ...NO_ENGAGEMENT, deliveredAt: AT, openedAt: AT, opens: 1 };
const clicked = { ...opened, clickedAt: AT, clicks: 1 };
const FIGURES = { delivered: 0, opened: 0, clicked: 0, bounced: 0, hardBounced: 0, complained: 0 };

test('changes are summed by source and hour of sending, taken back where they were wrong, and ordered', () => {
  const message = (sourceId: string | null, before: Engagement, after: Engagement) =>
    ({ sourceId, sentAt: SENT, before, after }) as const;
  const hour = new Date('2026-03-02T09:00:00.000Z');
  expect(
    summedChanges([
      message('b', NO_ENGAGEMENT, clicked),
      message('b', opened, clicked),
      message('a', clicked, opened),
      message(null, NO_ENGAGEMENT, opened),
      message('c', opened, { ...opened, opens: 2 }),
    ]),
  ).toEqual([
    { ...FIGURES, sourceId: NO_SOURCE, hour, delivered: 1, opened: 1 },
    { ...FIGURES, sourceId: 'a', hour, clicked: -1 },
    { ...FIGURES, sourceId: 'b', hour, delivered: 1, opened: 1, clicked: 2 },
  ]);
});
