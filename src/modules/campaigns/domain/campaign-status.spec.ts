import { CAMPAIGN_STATUSES, moveOf, type CampaignCall, type CampaignStatus } from './campaign-status.js';

const ONCE = { recurrence: null, abTest: null };
const ALLOWED: Readonly<Record<CampaignCall, Partial<Record<CampaignStatus, CampaignStatus>>>> = {
  update: { draft: 'draft' },
  delete: { draft: 'draft' },
  send: { draft: 'sending' },
  schedule: { draft: 'scheduled', scheduled: 'scheduled' },
  unschedule: { scheduled: 'draft' },
  pause: { sending: 'paused', ab_testing: 'paused', resumed: 'paused' },
  resume: { paused: 'resumed' },
  cancel: {
    ...{ scheduled: 'cancelled', sending: 'cancelled', resumed: 'cancelled', paused: 'cancelled' },
    ...{ ab_testing: 'cancelled', recurring: 'cancelled', stopped: 'cancelled' },
  },
  'schedule-recurring': { draft: 'recurring' },
  'stop-recurring': { recurring: 'stopped' },
  'resume-recurring': { stopped: 'resumed' },
  'ab-send-winner': { ab_testing: 'sending' },
};

test.each(Object.entries(ALLOWED))('%s', (call, allowed) => {
  for (const status of CAMPAIGN_STATUSES) {
    const to = allowed[status];
    const outcome = moveOf(call as CampaignCall, { ...ONCE, status });
    if (to === undefined) expect([status, outcome.kind]).toEqual([status, 'refused']);
    else expect([status, outcome]).toEqual([status, { kind: 'moved', status: to }]);
  }
});

test('a test of variants begins with its test', () => {
  expect(moveOf('send', { ...ONCE, status: 'draft', abTest: {} })).toEqual({
    kind: 'moved',
    status: 'ab_testing',
  });
});

test('a recurring one is stopped where it was resumed, and not paused', () => {
  const recurring = { status: 'resumed', recurrence: {}, abTest: null } as const;
  expect(moveOf('stop-recurring', recurring)).toEqual({ kind: 'moved', status: 'stopped' });
  expect(moveOf('pause', recurring)).toEqual({
    kind: 'refused',
    allowedFrom: ['sending', 'ab_testing', 'resumed'],
  });
});
