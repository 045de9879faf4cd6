import { sendRaw } from '../../delivery/providers/send-raw.provider.js';
import { feedbackOf } from './provider-feedback.js';

const ID = '0190a5d2-7c3e-7b61-9a3e-4f5f0c0ffeea';
const OTHER = '4ef9a417-02e9-4d39-ad75-9611e0fcc33c';

function readProviderEvent(body: unknown) {
  const [event, ...more] = sendRaw.readEvents(body, 'msg_1') ?? [];
  expect(more).toEqual([]);
  if (!event) return undefined;
  const { key, ...feedback } = feedbackOf(event);
  expect(key).toBe('msg_1');
  return { ...feedback, candidates: event.candidates };
}
const event = (type: string, data: object = {}) =>
  readProviderEvent({ type, created_at: '2026-03-02T09:00:00.500Z', data: { email_id: ID, ...data } });

test.each([
  ['email.sent', 'sent'],
  ['email.delivered', 'delivered'],
  ['email.opened', 'opened'],
  ['email.clicked', 'clicked'],
  ['email.bounced', 'bounced'],
  ['email.complained', 'complained'],
  ['email.delivery_delayed', null],
  ['email.', null],
  ['contact.delivered', null],
  ['email.__proto__', null],
])('%s is %p', (type, kind) => {
  expect(event(type)).toMatchObject({
    type,
    candidates: [ID],
    happenedAt: Date.parse('2026-03-02T09:00:00.500Z'),
    facts: { kind },
  });
});

test.each([
  ['2026-03-02T10:00:00.5+01:00', '2026-03-02T09:00:00.500Z'],
  ['2026-03-02 09:00:00.500123+00', '2026-03-02T09:00:00.500Z'],
  ['1772442000', '2026-03-02T09:00:00.000Z'],
  [1_772_442_000, '2026-03-02T09:00:00.000Z'],
  [1_772_442_000_500, '2026-03-02T09:00:00.500Z'],
])('created_at %j is %s', (created, moment) => {
  const read = readProviderEvent({ type: 'email.sent', created_at: created, data: {} });
  expect(read?.happenedAt).toBe(Date.parse(moment));
});

test.each([['soon'], [''], [null], [{}], [true], ['9999-99-99'], ['2026-03-02T09:00:00Z'.padEnd(41)]])(
  'created_at %j says nothing',
  (created) => {
    const read = readProviderEvent({ type: 'email.sent', created_at: created, data: {} });
    expect(read).toMatchObject({ happenedAt: undefined });
  },
);

test.each([[null], [[]], ['email.sent'], [{}], [{ type: 7 }], [{ type: '' }]])('%j is no event', (value) => {
  expect(readProviderEvent(value)).toBeUndefined();
});

test('whatever else is odd is passed over', () => {
  for (const data of [null, 7, 'x', [], { email_id: 7, headers: 'x', to: {}, bounce: 'x', click: [] }])
    expect(readProviderEvent({ type: 'email.bounced', created_at: 'soon', data })).toEqual({
      type: 'email.bounced',
      candidates: [],
      happenedAt: undefined,
      facts: {
        kind: 'bounced',
        userAgent: null,
        method: null,
        isPrefetch: false,
        link: null,
        recipient: null,
        bounce: { kind: 'hard', code: null, detail: null },
      },
    });
});

test('a message is found by the provider’s id or by its Message-ID, wherever that stands', () => {
  const found = (data: object) => event('email.sent', { email_id: OTHER, ...data })?.candidates;
  expect(found({ message_id: `<${ID}@mail.localhost>` })).toEqual([OTHER, ID]);
  expect(
    found({ headers: [{ name: 'Message-Id', value: `<${ID.toUpperCase()}@x>` }, { name: 'To' }, 7] }),
  ).toEqual([OTHER, ID]);
  expect(found({ headers: { 'message-id': `<${ID}@x>`, other: 7 } })).toEqual([OTHER, ID]);
  expect(found({ email_id: 'x' })).toEqual([]);
  expect(found({ email_id: 'x', email_log_id: ID })).toEqual([ID]);
  for (const name of ['X-Message-Id', 'Message-Id-Of'])
    expect(found({ headers: [{ name, value: `<${ID}@x>` }] })).toEqual([OTHER]);
  const many = Array.from({ length: 9 }, (_, n) => ({
    name: 'Message-Id',
    value: ID.replace('0190', `019${n}`),
  }));
  expect(found({ headers: many })).toHaveLength(4);
});

test('opens and clicks tell what made them, and a link nothing of itself', () => {
  expect(
    event('email.clicked', {
      to: ['ada@x.test', 'b@x.test'],
      click: { timestamp: '2026-03-02T08:59:00Z', userAgent: 'curl/8', link: 'https://x.test/?secret=1' },
    }),
  ).toMatchObject({
    happenedAt: Date.parse('2026-03-02T08:59:00Z'),
    facts: { userAgent: 'curl/8', recipient: 'ada@x.test', link: expect.stringMatching(/^[0-9a-f]{16}$/) },
  });
  expect(event('email.opened', { user_agent: 'Mozilla/5.0' })?.facts).toMatchObject({
    userAgent: 'Mozilla/5.0',
    link: null,
  });
});

test('an open tells when it happened, and by what', () => {
  const open = { timestamp: '2026-03-02T08:59:00Z', userAgent: 'Mozilla/5.0', method: 'HEAD' };
  expect(event('email.opened', { open, click: { userAgent: 'curl/8' } })).toMatchObject({
    happenedAt: Date.parse('2026-03-02T08:59:00Z'),
    facts: { userAgent: 'Mozilla/5.0', method: 'HEAD' },
  });
  const other = { open, click: open, user_agent: 'curl/8', method: 'GET', bounce: { type: 'hard' } };
  expect(event('email.delivered', other)).toMatchObject({
    happenedAt: Date.parse('2026-03-02T09:00:00.500Z'),
    facts: { userAgent: null, method: null, link: null, bounce: null },
  });
});

test('each link of a message has its own name, at any position', () => {
  const linkOf = (data: object) => event('email.clicked', data)?.facts.link;
  const name = linkOf({ click: { link: 'https://x.test/a' } });
  expect([linkOf({ click: { url: 'https://x.test/a' } }), linkOf({ link: 'https://x.test/a' })]).toEqual([
    name,
    name,
  ]);
  expect(linkOf({ click: { link: 'https://x.test/b' } })).not.toBe(name);
});

test('a type is kept in bounds and storable', () => {
  expect(event('x'.repeat(200))?.type).toBe('x'.repeat(100));
  expect(event('email\0.sent')).toMatchObject({ type: 'email.sent', facts: { kind: 'sent' } });
});

test.each([
  ['ada@x.test', 'ada@x.test'],
  [`${'x'.repeat(1_000)} <ada@x.test>`, null],
  [['Ada <Ada@x.test>', 'b@x.test'], 'Ada@x.test'],
  ['"Ada, <b@x.test>" < ada@x.test >', 'ada@x.test'],
  ['nobody', null],
  ['<>', null],
  [['\0'], null],
  [[7], null],
  ['x'.repeat(2_000), null],
])('the recipient of %j is %j', (to, recipient) => {
  expect(event('email.complained', { to })?.facts.recipient).toBe(recipient);
});

test('a bounce tells its kind, code and words, in bounds and storable', () => {
  const detail = `550 5.1.1 \0no \ud800 such user${'!'.repeat(600)}`;
  const bounce = event('email.bounced', {
    bounce: { type: 'Permanent', subType: 'General', message: detail },
  })?.facts.bounce;
  expect(bounce).toMatchObject({ kind: 'hard', code: '5.1.1' });
  expect(bounce?.detail).toHaveLength(500);
  expect(bounce?.detail?.isWellFormed()).toBe(true);
  expect(event('email.bounced', { bounce_type: 'soft' })?.facts.bounce?.kind).toBe('soft');
  const emoji = event('email.bounced', { reason: `${'x'.repeat(499)}😀` })?.facts.bounce?.detail;
  expect(emoji).toBe('x'.repeat(499));
});

test.each<[object, string, string | null, string | null]>([
  ...['type', 'bounce_type', 'bounceType', 'kind'].map((name): [object, string, null, null] => [
    { bounce: { [name]: 'transient' } },
    'soft',
    null,
    null,
  ]),
  ...['subType', 'sub_type', 'bounceSubType'].map((name): [object, string, null, null] => [
    { bounce: { type: 'Permanent', [name]: 'MailboxFull' } },
    'soft',
    null,
    null,
  ]),
  ...['diagnosticCode', 'diagnostic_code', 'message', 'reason'].map(
    (name): [object, string, null, string] => [
      { bounce: { [name]: '550 rejected' } },
      'soft',
      null,
      '550 rejected',
    ],
  ),
  ...['status', 'enhanced_status', 'code'].map((name): [object, string, string, null] => [
    { bounce: { [name]: '5.2.2' } },
    'soft',
    '5.2.2',
    null,
  ]),
  [{ bounce: { message: '' }, reason: '550 rejected' }, 'soft', null, '550 rejected'],
])('providers tell of a bounce by different names: %j', (data, kind, code, detail) => {
  expect(event('email.bounced', data)?.facts.bounce).toEqual({ kind, code, detail });
});
