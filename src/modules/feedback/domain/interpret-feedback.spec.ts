import { NO_ENGAGEMENT, type Engagement } from '../../delivery/domain/engagement.js';
import { EMAIL_LOG_STATUSES } from '../../delivery/domain/email-log-transitions.js';
import { EMPTY_FEEDBACK } from './feedback.js';
import { sentStateOf, suppressionOf, interpretFeedback } from './interpret-feedback.js';

const SENT = new Date('2026-03-02T09:00:00.000Z');
const LATER = new Date('2026-03-02T09:00:05.000Z');
const LOG = { sentAt: SENT, createdAt: new Date('2026-03-02T08:00:00.000Z'), toEmail: 'ada@x.test' };
const GMAIL = 'Mozilla/5.0 (via ggpht.com GoogleImageProxy)';

test('word counts of what has left, proves what may have, waits for what is leaving', () => {
  const standings = EMAIL_LOG_STATUSES.map((status) => [status, sentStateOf({ status, reissues: 0 })]);
  expect(Object.fromEntries(standings)).toEqual({
    queued: 'never_left',
    sending: 'under_way',
    sent: 'sent',
    failed: 'never_left',
    suppressed: 'never_left',
    unknown: 'unproven',
    cancelled: 'never_left',
  });
  expect(sentStateOf({ status: 'queued', reissues: 1 })).toBe('unproven');
  expect(sentStateOf({ status: 'sending', reissues: 1 })).toBe('under_way');
});

test('nothing happens to a message before it left, and what is not known is nothing', () => {
  const word = (facts: object, happenedAt = LATER) =>
    interpretFeedback({ facts: { ...EMPTY_FEEDBACK, ...facts }, happenedAt }, LOG);
  expect(word({ kind: null })).toBeUndefined();
  for (const kind of ['sent', 'delivered', 'complained']) expect(word({ kind })).toEqual({ kind, at: LATER });
  expect(word({ kind: 'delivered' }, new Date(0))).toEqual({ kind: 'delivered', at: SENT });
  expect(word({ kind: 'opened', userAgent: GMAIL })).toEqual({ kind: 'opened', at: LATER, isMachine: true });
  // A wrong clock says nothing about how soon it was.
  expect(word({ kind: 'opened', userAgent: GMAIL }, new Date(0))).toMatchObject({
    at: SENT,
    isMachine: false,
  });
  expect(word({ kind: 'clicked', userAgent: 'curl/8', link: 'a' })).toMatchObject({
    isMachine: true,
    link: 'a',
  });
  expect(word({ kind: 'bounced' })).toMatchObject({ bounce: { kind: 'hard' } });
});

test('what a server said names the person, and is not kept of one that was erased', () => {
  const bounce = { kind: 'soft', code: '4.2.2', detail: 'ada@x.test is full' } as const;
  const reportedBounce = {
    facts: { ...EMPTY_FEEDBACK, kind: 'bounced', bounce },
    happenedAt: LATER,
  } as const;
  expect(interpretFeedback(reportedBounce, LOG)).toMatchObject({ bounce });
  expect(interpretFeedback(reportedBounce, { ...LOG, toEmail: null })).toMatchObject({
    bounce: { ...bounce, detail: null },
  });
});

const soft = { bouncedAt: LATER, bounceKind: 'soft', bounceDetail: 'full' } as const;
const hard = { bouncedAt: LATER, bounceKind: 'hard', bounceDetail: 'gone' } as const;
test.each<[string, Partial<Engagement>, Partial<Engagement>, boolean, string | undefined]>([
  ['delivered', {}, { deliveredAt: LATER }, false, undefined],
  ['delivered, and soft bounces before', {}, { deliveredAt: LATER }, true, undefined],
  ['a soft bounce', {}, soft, false, undefined],
  ['one soft bounce too many', {}, soft, true, 'hard_bounce'],
  ['a hard bounce', {}, hard, false, 'hard_bounce'],
  ['a hard bounce behind a soft one', soft, hard, false, 'hard_bounce'],
  ['the same hard bounce again', hard, { ...hard, opens: 1 }, false, undefined],
  ['a complaint', {}, { complainedAt: LATER }, false, 'complaint'],
  ['a complaint behind a bounce', hard, { ...hard, complainedAt: LATER }, false, 'complaint'],
  ['both at once', {}, { ...hard, complainedAt: LATER }, false, 'complaint'],
  ['the complaint again', { complainedAt: LATER }, { complainedAt: SENT }, false, undefined],
])('%s: %p', (_name, before, after, dead, reason) => {
  const why = suppressionOf({ ...NO_ENGAGEMENT, ...before }, { ...NO_ENGAGEMENT, ...after }, dead);
  expect(why?.reason).toBe(reason);
});

test('a suppression tells since when, and what the server said', () => {
  const why = (after: Partial<Engagement>, isDead = false) =>
    suppressionOf(NO_ENGAGEMENT, { ...NO_ENGAGEMENT, ...after }, isDead);
  expect(why({ complainedAt: LATER })).toEqual({ reason: 'complaint', since: LATER, note: null });
  expect(why(hard)).toEqual({ reason: 'hard_bounce', since: LATER, note: 'gone' });
  expect(why(soft, true)).toMatchObject({
    since: LATER,
    note: expect.stringMatching(/^Repeated soft bounces/),
  });
});
