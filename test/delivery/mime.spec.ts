/**
 * Sent mail as another library parses it: both bodies, and every header field once, for any text that people
 * enter.
 */
import type { Email } from 'postal-mime';
import { MailSink } from '../support/mail-sink.js';
import type { SendingApp } from './sending-app.js';
import { useFixture } from './sending-fixture.js';

let sink: MailSink;
let app: SendingApp;

useFixture((fixture) => ({ sink, app } = fixture));

interface Arrived {
  readonly email: Email;
  readonly raw: string;
  /** The raw values of a header field. */
  readonly field: (name: string) => string[];
}

async function sent(
  contentType: 'transactional' | 'promotional',
  template: Readonly<Record<string, unknown>> = {},
  sender: object = {},
): Promise<Arrived> {
  const scope = await app.workspace({
    sender: { from_email: 'hello@acme.test', from_name: 'Acme', reply_to: 'help@acme.test', ...sender },
  });
  const contactId = await app.contact(scope);
  await app.template(scope, template);
  const id = await app.enqueue(scope, { contactId, contentType });
  await app.drain(scope);
  expect(await app.log(id)).toMatchObject({ status: 'sent' });
  const mail = sink.to(`${contactId}@example.com`)[0]!;
  const email = await MailSink.parse(mail);
  const field = (name: string): string[] =>
    email.headers.flatMap(({ key, value }) => (key === name ? [value] : []));
  return { email, raw: mail.raw, field };
}

test('transactional mail says that no person wrote it, and nothing of a list', async () => {
  const { field, email } = await sent('transactional');
  expect(field('auto-submitted')).toEqual(['auto-generated']);
  expect(field('feedback-id')).toEqual([
    expect.stringMatching(/^welcome:transactional:[0-9a-f-]{36}:waypost$/),
  ]);
  expect([field('list-unsubscribe'), field('list-unsubscribe-post')]).toEqual([[], []]);
  expect([email.html, email.text]).toEqual([
    expect.stringContaining('<p>Hi Ada</p>'),
    expect.stringContaining('Hi Ada'),
  ]);
});

test('promotional mail has both list fields, and is not called automatic', async () => {
  const { field } = await sent('promotional');
  expect(field('auto-submitted')).toEqual([]);
  expect(field('feedback-id')).toEqual([
    expect.stringMatching(/^welcome:promotional:[0-9a-f-]{36}:waypost$/),
  ]);
  expect(field('list-unsubscribe')).toEqual([expect.stringMatching(/^<https?:\/\/[^>\s]+>$/)]);
  expect(field('list-unsubscribe-post')).toEqual(['List-Unsubscribe=One-Click']);
});

const LONG = 'Donaudampfschifffahrtsgesellschaft'.repeat(8);

test.each([
  ['emoji and joined ones', '👩‍👩‍👧‍👦 Größe 🇩🇪 🎉'.repeat(6)],
  ['right to left', 'מבצע מיוחד: ‎50%‏ הנחה على كل شيء'],
  ['a word that fits on no line', LONG],
  ['a word of four bytes a character that fits on no line', '𝔘𝔫𝔦𝔠𝔬𝔡𝔢'.repeat(30)],
  ['what looks encoded', '=?UTF-8?B?QmNjOiBldmls?= =?x'],
  ['commas, quotes and brackets', 'a, "b" <c@d.e>; \\ (f)'],
])('a subject and a sender of %s read back, on lines that servers take', async (_, text) => {
  const { email, raw } = await sent('promotional', { subject: text }, { from_name: text.slice(0, 250) });
  expect([email.subject, email.from?.name]).toEqual([text, text.slice(0, 250).trim()]);
  const [head = ''] = raw.split('\r\n\r\n');
  expect(head).toMatch(/^[\x20-\x7e\r\n]*$/);
  for (const line of head.split('\r\n')) expect(line.length).toBeLessThanOrEqual(998);
});

test.each([
  '\r\nBcc: evil@evil.test',
  '\nX-Evil: 1',
  '\r\n\r\n<p>evil</p>',
  '\u2028X-Evil: 1',
  '\u0001\u000b\fX-Evil: 1',
])('no field comes of %j in a subject or a name', async (evil) => {
  const { email, field } = await sent('promotional', { subject: `Hi${evil}` }, { from_name: `Acme${evil}` });
  expect([field('bcc'), field('x-evil'), field('subject').length, field('from').length]).toEqual([
    [],
    [],
    1,
    1,
  ]);
  expect(email.html).not.toContain('evil');
  expect(email.from?.address).toMatch(/^hello@/);
});

test.each(['from_email', 'reply_to'])('no message goes out with a line break in %s', async (column) => {
  const scope = await app.workspace({
    sender: { from_email: 'hello@acme.test', [column]: 'a@acme.test\r\nBcc: evil@evil.test' },
  });
  const contactId = await app.contact(scope);
  await app.template(scope);
  const id = await app.enqueue(scope, { contactId });
  await app.drain(scope);
  expect(await app.log(id)).toMatchObject({ status: 'failed', error_code: 'invalid_from_address' });
  expect(sink.to(`${contactId}@example.com`)).toEqual([]);
});
