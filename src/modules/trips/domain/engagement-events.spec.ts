import { NO_ENGAGEMENT, type Engagement } from '../../delivery/domain/engagement.js';
import { ENGAGEMENT_EVENTS, engagementEvents } from './engagement-events.js';

const AT = new Date('2026-03-02T09:00:00.000Z');
const EARLIER = new Date('2026-03-02T08:00:00.000Z');
const message = (before: Partial<Engagement>, after: Partial<Engagement>) => ({
  id: '0190a5d2-7c3e-7b61-9a3e-4f5f0c0ffee1',
  contactId: '0190a5d2-7c3e-7b61-9a3e-4f5f0c0ffee2',
  contentType: 'promotional' as const,
  before: { ...NO_ENGAGEMENT, ...before },
  after: { ...NO_ENGAGEMENT, ...after },
});
const reportedEvents = (before: Partial<Engagement>, after: Partial<Engagement>) =>
  engagementEvents(message(before, after), true).map(({ name, occurredAt }) => [name, occurredAt]);

test('what is new is told, each with its moment', () => {
  expect(reportedEvents({}, { deliveredAt: EARLIER, openedAt: AT })).toEqual([
    ['email_delivered', EARLIER],
    ['email_opened', AT],
  ]);
  const all = { deliveredAt: AT, openedAt: AT, clickedAt: AT, bouncedAt: AT, complainedAt: AT };
  expect(reportedEvents({}, all).map(([name]) => name)).toEqual(ENGAGEMENT_EVENTS);
});

test('what was known before, or is taken back, is no news', () => {
  expect(reportedEvents({ clickedAt: AT }, { clickedAt: EARLIER })).toEqual([]);
  expect(reportedEvents({ clickedAt: AT }, {})).toEqual([]);
  expect(reportedEvents({}, { machineClicks: 1, machineOpens: 2 })).toEqual([]);
});

test('each is an event of the contact, by the id of the message', () => {
  const [event] = engagementEvents(message({}, { clickedAt: AT }), false);
  expect(event).toEqual({
    id: '0190a5d2-7c3e-7b61-9a3e-4f5f0c0ffee1',
    name: 'email_clicked',
    attributes: { email_log_id: '0190a5d2-7c3e-7b61-9a3e-4f5f0c0ffee1', content_type: 'promotional' },
    occurredAt: AT,
    externalId: '',
    contactId: '0190a5d2-7c3e-7b61-9a3e-4f5f0c0ffee2',
    contactReachable: false,
  });
});
