import { CAMPAIGN_STATUSES } from './campaign-status.js';
import { changedCampaign, copyOfCampaign, newCampaign } from './campaign-change.js';
import type { Campaign, CampaignContent } from './campaign.js';

const CONTENT: CampaignContent = {
  name: 'Spring',
  subject: 'S',
  templateId: 't',
  segmentId: 's',
  senderName: 'N',
  senderEmail: 'e@acme.test',
  replyTo: 'r@acme.test',
  abTest: null,
};
const [THEN, NOW] = [new Date('2026-03-01T00:00:00Z'), new Date('2026-03-02T00:00:00Z')];
const draft = newCampaign(CONTENT, { id: 'a', createdBy: 'ada', now: THEN });

test('a draft changes in what the change speaks of', () => {
  expect(changedCampaign(draft, { subject: null, name: 'Autumn' }, NOW)).toEqual({
    ...draft,
    subject: null,
    name: 'Autumn',
    updatedAt: NOW,
  });
});

test.each(CAMPAIGN_STATUSES.filter((status) => status !== 'draft'))('one that is %s does not', (status) => {
  expect(() => changedCampaign({ ...draft, status }, {}, NOW)).toThrow(
    expect.objectContaining({ code: 'invalid_status', fields: { status, allowed_from: ['draft'] } }),
  );
});

test('a copy says the same, and is as new as any draft', () => {
  const sent: Campaign = {
    ...draft,
    status: 'sent',
    ...{ startedAt: THEN, completedAt: THEN, audienceSize: 9, runs: 1, lookAt: THEN },
    ...{ scheduledAt: THEN, scheduledOffset: 60, localTime: true, maxPerHour: 9, nextRunAt: THEN },
  };
  const making = { id: 'b', createdBy: 'bob', now: NOW };
  expect(copyOfCampaign(sent, making)).toEqual(newCampaign({ ...CONTENT, name: 'Spring (Copy)' }, making));
});

test.each([
  ['n'.repeat(248), `${'n'.repeat(248)} (Copy)`],
  ['n'.repeat(249), `${'n'.repeat(248)} (Copy)`],
  ['🌷'.repeat(255), `${'🌷'.repeat(248)} (Copy)`],
])('the name of a copy fits into 255 characters', (name, expected) => {
  expect(copyOfCampaign({ ...draft, name }, { id: 'b', createdBy: 'bob', now: NOW }).name).toBe(expected);
});
