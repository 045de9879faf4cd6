import { readMailReport } from './mail-report.js';

const TOKEN = 'a'.repeat(42);
const STATUS = (action: string, status: string, diagnostic = '') =>
  `Reporting-MTA: dns; mx.x.test\r\n\r\nFinal-Recipient: rfc822; ada@x.test\r\nAction: ${action}\r\nStatus: ${status}\r\n${diagnostic}`;
const part = (type: string, text: string) => ({ type, text });
const returned = part(
  'text/rfc822-headers',
  `From: hello@acme.test\r\nX-Waypost-Feedback:\r\n ${TOKEN}\r\nSubject: Hi`,
);
const read = (...parts: { type: string; text: string }[]) => readMailReport({ fields: [], parts });

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
])('an abuse report that says %s', (kind, type, told) => {
  const text = `Feedback-Type: ${kind}\nUser-Agent: Some/1\nVersion: 1\n`;
  expect(read(part('message/feedback-report', text), { ...returned, type: 'message/rfc822' })).toMatchObject({
    type,
    tokens: [TOKEN],
    facts: { kind: told },
  });
});

test('the address that it came back to bears the token too; other mail is no report', () => {
  const status = part('message/delivery-status', STATUS('failed', '5.0.0'));
  for (const name of ['to', 'delivered-to', 'x-original-to'])
    expect(
      readMailReport({ fields: [[name, `Bounces <b-${TOKEN}@r.test>`]], parts: [status] })?.tokens,
    ).toEqual([TOKEN]);
  expect(readMailReport({ fields: [['from', `b-${TOKEN}@r.test`]], parts: [status] })?.tokens).toEqual([]);
  expect(readMailReport({ fields: [['to', `b-${TOKEN}@r.test`]], parts: [] })).toBeUndefined();
  expect(read(part('text/plain', 'Action: failed\nStatus: 5.1.1'))).toBeUndefined();
  expect(read(part('message/delivery-status', ''))).toMatchObject({
    type: 'dsn.other',
    facts: { kind: null },
  });
});

test('a body that only looks like a header bears no token', () => {
  const forged = part('message/rfc822', `Subject: Hi\r\n\r\nX-Waypost-Feedback: ${TOKEN}`);
  expect(read(part('message/delivery-status', STATUS('failed', '5.1.1')), forged)?.tokens).toEqual([]);
});
