import { EMPTY_FEEDBACK } from './feedback.js';
import { readMailReport } from './mail-report.js';

const TOKEN = 'a'.repeat(42);
const STATUS = (action: string, status: string, diagnostic = '') =>
  `Reporting-MTA: dns; mx.x.test\r\n\r\nFinal-Recipient: rfc822; ada@x.test\r\nAction: ${action}\r\nStatus: ${status}\r\n${diagnostic}`;
const part = (type: string, text: string) => ({ type, text });
const returned = part(
  'text/rfc822-headers',
  `From: hello@acme.test\r\nX-Waypost-Feedback:\r\n ${TOKEN}\r\nSubject: Hi`,
);
const read = (...parts: { type: string; text: string }[]) => readMailReport({ fields: [], parts, text: '' });

test.each([
  [
    'failed',
    '5.1.1',
    'Diagnostic-Code: smtp; 550 5.1.1 no such\r\n\tuser',
    'dsn.failed',
    'bounced',
    'hard',
    '550 5.1.1 no such user',
  ],
  ['Failed (gave up)', '5.2.2', '', 'dsn.failed', 'bounced', 'soft', null],
  ['failed', '4.4.7', '', 'dsn.failed', 'bounced', 'soft', null],
  ['delayed', '4.4.1', '', 'dsn.delayed', null, undefined, undefined],
  ['delivered', '2.0.0', '', 'dsn.other', 'delivered', undefined, undefined],
  ['relayed', '2.0.0', '', 'dsn.other', null, undefined, undefined],
])('a status that says %s %s', (action, status, diagnostic, type, kind, bounce, detail) => {
  const report = read(part('message/delivery-status', STATUS(action, status, diagnostic)), returned);
  expect(report).toMatchObject({ type, tokens: [TOKEN], facts: { kind } });
  expect(report?.facts.bounce?.kind).toBe(bounce);
  expect(report?.facts.bounce?.detail).toBe(detail);
});

test.each([
  ['abuse', 'arf.abuse', 'complained'],
  ['Fraud', 'arf.abuse', 'complained'],
  ['not-spam', 'arf.other', null],
  ['opt-out', 'arf.other', null],
])('an abuse report that says %s', (kind, type, reportedKind) => {
  const text = `Feedback-Type: ${kind}\nUser-Agent: Some/1\nVersion: 1\n`;
  expect(read(part('message/feedback-report', text), { ...returned, type: 'message/rfc822' })).toMatchObject({
    type,
    tokens: [TOKEN],
    facts: { kind: reportedKind },
  });
});

test('the address that it came back to bears the token too; other mail is no report', () => {
  const status = part('message/delivery-status', STATUS('failed', '5.0.0'));
  for (const name of ['to', 'delivered-to', 'x-original-to', 'envelope-to', 'x-envelope-to'])
    expect(
      readMailReport({ fields: [[name, `Bounces <b-${TOKEN}@r.test>`]], parts: [status], text: '' })?.tokens,
    ).toEqual([TOKEN]);
  expect(
    readMailReport({ fields: [['from', `b-${TOKEN}@r.test`]], parts: [status], text: '' })?.tokens,
  ).toEqual([]);
  expect(readMailReport({ fields: [['to', `b-${TOKEN}@r.test`]], parts: [], text: '' })).toBeUndefined();
  expect(read(part('text/plain', 'Action: failed\nStatus: 5.1.1'))).toBeUndefined();
  expect(read(part('message/delivery-status', ''))).toMatchObject({
    type: 'dsn.other',
    facts: { kind: null },
  });
});

test.each([
  [
    'a body that only looks like a header',
    'message/rfc822',
    `Subject: Hi\r\n\r\nX-Waypost-Feedback: ${TOKEN}`,
  ],
  ['a body behind bare line feeds', 'message/rfc822', `Subject: Hi\n\nX-Waypost-Feedback: ${TOKEN}`],
  ['a folded line of another field', 'message/rfc822', `Subject: Hi\r\n X-Waypost-Feedback: ${TOKEN}`],
  ['a text beside the report', 'text/plain', `X-Waypost-Feedback: ${TOKEN}`],
  ['another field of our message', 'message/rfc822', `Reply-To: b-${TOKEN}@r.test`],
])('%s bears no token', (_, type, text) => {
  expect(read(part('message/delivery-status', STATUS('failed', '5.1.1')), part(type, text))?.tokens).toEqual(
    [],
  );
});

test.each(['message/rfc822', 'text/rfc822-headers', 'message/rfc822-headers', 'message/global'])(
  'our message comes back as %s',
  (type) => {
    const status = part('message/global-delivery-status', STATUS('failed', '5.1.1'));
    expect(read(status, { ...returned, type })).toMatchObject({ type: 'dsn.failed', tokens: [TOKEN] });
  },
);

test('of many addresses the first few are tokens', () => {
  const many = Array.from({ length: 20 }, () => `b-${TOKEN}@r.test`).join(', ');
  const status = part('message/delivery-status', STATUS('failed', '5.1.1'));
  expect(readMailReport({ fields: [['to', many]], parts: [status], text: '' })?.tokens).toHaveLength(8);
  const prose = [['from', 'MAILER-DAEMON@x.test'] as const, ['to', many] as const];
  const report = readMailReport({ fields: prose, parts: [], text: 'Delivery failed: user unknown' });
  expect(report?.tokens).toHaveLength(8);
});

const failed = (status: string, diagnostic: string, action = 'failed') =>
  `Final-Recipient: rfc822; ada@x.test\r\nAction: ${action}\r\nStatus: ${status}\r\n${diagnostic}\r\n\r\n`;
test.each([
  ['5.0.0', 'Diagnostic-Code: smtp; 550 5.7.26 Unauthenticated email', 'soft', '5.7.26'],
  ['5.0.0', 'Diagnostic-Code: smtp; 552 Mailbox storage quota exceeded', 'soft', '5.0.0'],
  ['5.1.0', 'Diagnostic-Code: smtp; 550 5.1.0 <b@acme.test> sender rejected', 'soft', '5.1.0'],
  ['5.1.1', 'Diagnostic-Code: smtp; 552 5.2.2 over quota', 'soft', '5.2.2'],
  [
    '5.4.1',
    'Diagnostic-Code: smtp;550 5.4.1 Recipient address rejected: Access denied. [x]',
    'hard',
    '5.4.1',
  ],
  ['5.5.0', 'Diagnostic-Code: smtp; 550 Requested action not taken: mailbox unavailable', 'hard', '5.5.0'],
  ['5.0.0', 'Diagnostic-Code: smtp; 550 Пользователь не найден', 'hard', '5.0.0'],
  ['5.0.0', 'Diagnostic-Code: smtp;', 'soft', '5.0.0'],
  ['5.0.0', '', 'soft', '5.0.0'],
])('status %s, %s: %s', (status, diagnostic, kind, code) => {
  const report = read(part('message/delivery-status', failed(status, diagnostic)), returned);
  expect(report).toMatchObject({ type: 'dsn.failed', facts: { bounce: { kind, code } }, verdict: { kind } });
});

test('a report without a reason has it in its text', () => {
  const status = part('message/delivery-status', failed('5.0.0', ''));
  const text = 'The following address failed:\n\n  ada@x.test\n    Unrouteable address\n';
  expect(readMailReport({ fields: [], parts: [status], text })?.facts.bounce).toEqual({
    kind: 'hard',
    code: '5.0.0',
    detail: 'Unrouteable address',
  });
});

test('a report that gives its reason does not ask its text', () => {
  const text = 'The following address failed:\n\n  ada@x.test\n    Mailbox full\n';
  const bounceOf = (status: string, diagnostic = '') =>
    readMailReport({
      fields: [],
      parts: [part('message/delivery-status', failed(status, diagnostic))],
      text,
    })?.facts.bounce;
  expect(bounceOf('5.1.1')).toEqual({ kind: 'hard', code: '5.1.1', detail: null });
  expect(bounceOf('5.1.10')).toMatchObject({ kind: 'hard', detail: null });
  expect(bounceOf('5.0.0', 'Diagnostic-Code: smtp; 550 no such user')).toMatchObject({
    ...{ kind: 'hard', detail: '550 no such user' },
  });
  expect(bounceOf('unknown')).toMatchObject({ kind: 'soft', detail: 'Mailbox full' });
});

test('blank lines of any kind separate recipients', () => {
  const gone = 'Action: failed\nStatus: 5.1.1\n';
  const arrived = 'Action: delivered\nStatus: 2.0.0\n';
  const kindOf = (text: string) => read(part('message/delivery-status', text))?.facts.bounce?.kind;
  expect(kindOf(`Reporting-MTA: dns; x\n\n${gone}\n${gone}`)).toBe('hard');
  for (const blank of ['\n', ' \t\n', '\n\n', '\r\n'])
    expect(kindOf(`Reporting-MTA: dns; x\n${blank}${gone}${blank}${arrived}`)).toBe('soft');
});

test('an address lives as long as one of those that it leads to does', () => {
  const gone = failed('5.1.1', 'Diagnostic-Code: smtp; 550 5.1.1 no such user');
  const full = failed('5.2.2', 'Diagnostic-Code: smtp; 552 5.2.2 full');
  const kindOf = (...reports: string[]) =>
    read(part('message/delivery-status', `Reporting-MTA: dns; x\r\n\r\n${reports.join('')}`))?.facts.bounce
      ?.kind;
  expect(kindOf(gone, gone)).toBe('hard');
  expect(kindOf(gone, full)).toBe('soft');
  expect(kindOf(failed('2.0.0', '', 'delivered'), gone)).toBe('soft');
});

test('a bounce in prose counts by the return path that it came to, and by nothing that it quotes', () => {
  const text = `Hi. This is the qmail-send program at x.test.\n\n<ada@x.test>:\nSorry, no mailbox here by that name. (#5.1.1)\n\n--- Below this line is a copy of the message.\n\nX-Waypost-Feedback: ${TOKEN}\n`;
  const fields = [
    ['from', 'MAILER-DAEMON@x.test'],
    ['subject', 'failure notice'],
  ] as const;
  const to = ['to', `b-${TOKEN}@r.test`] as const;
  expect(readMailReport({ fields: [...fields, to], parts: [], text })).toMatchObject({
    type: 'prose.failed',
    tokens: [TOKEN],
    facts: { kind: 'bounced', bounce: { kind: 'hard', code: '5.1.1' } },
  });
  expect(readMailReport({ fields, parts: [returned], text })?.tokens).toEqual([]);
  expect(readMailReport({ fields: [to], parts: [], text })).toBeUndefined();
});

test('a delay in prose changes nothing', () => {
  const fields = [
    ['from', 'MAILER-DAEMON@x.test'],
    ['to', `b-${TOKEN}@r.test`],
  ] as const;
  const text = 'Your message has not yet been delivered. Delivery attempts will continue.';
  expect(readMailReport({ fields, parts: [], text })).toEqual({
    ...{ type: 'prose.delayed', tokens: [TOKEN], facts: EMPTY_FEEDBACK },
  });
});

const JMRP = 'X-HmXmrOriginalRecipient: ada@x.test\r\n';
test('a copy of Microsoft’s junk reporting is a complaint, attached or as it is', () => {
  const complaint = { type: 'jmrp.abuse', tokens: [TOKEN], facts: { kind: 'complained' } };
  expect(read({ type: 'message/rfc822', text: JMRP + returned.text })).toMatchObject(complaint);
  expect(read({ ...returned, text: JMRP.toUpperCase() + returned.text })).toMatchObject(complaint);
  const byPath = `${JMRP}Return-Path: <b-${TOKEN}@r.test>\r\n`;
  expect(read({ type: 'message/rfc822', text: byPath })).toMatchObject(complaint);
  const fields = [
    ['x-hmxmroriginalrecipient', 'ada@x.test'],
    ['x-waypost-feedback', TOKEN],
  ] as const;
  expect(readMailReport({ fields, parts: [], text: '' })).toMatchObject(complaint);
  expect(read({ type: 'message/rfc822', text: returned.text })).toBeUndefined();
  expect(
    read({ type: 'message/rfc822', text: `Subject: Hi\r\n\r\n${JMRP}${returned.text}` }),
  ).toBeUndefined();
});
