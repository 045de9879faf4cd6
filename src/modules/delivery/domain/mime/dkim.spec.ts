/** Verifies signatures with another library than the one that makes them, which parses the message again. */
import { generateKeyPairSync, sign } from 'node:crypto';
import fc from 'fast-check';
import { dkimVerify } from 'mailauth';
import { runs } from '../../../../../test/support/test-scope.js';
import { prepareDkim } from './dkim.js';
import { buildMessage, type MessageParts } from './message.js';

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const RECORD = `v=DKIM1; k=rsa; p=${publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}`;
const AT = new Date('2026-03-02T09:00:00.000Z');

function finished<Result>(work: Generator<void, Result>): { result: Result; pieces: number } {
  for (let pieces = 1; ; pieces++) {
    const step = work.next();
    if (step.done) return { result: step.value, pieces };
  }
}

function signed(message: Buffer): Buffer {
  const identity = { domain: 'acme.test', selector: 'w1' };
  const unsigned = finished(prepareDkim(message, identity, AT)).result;
  const field = unsigned.field(sign('sha256', unsigned.data, privateKey));
  return Buffer.concat([Buffer.from(field), message]);
}

async function verdict(message: Buffer): Promise<string> {
  const { results } = await dkimVerify(message, {
    resolver: async (name: string) => Promise.resolve(name === 'w1._domainkey.acme.test' ? [[RECORD]] : []),
  });
  expect(results).toHaveLength(1);
  return results[0]?.status.result ?? '';
}

const PARTS: MessageParts = {
  messageId: '<0190a5d2-7c3e-7b61-9a3e-4f5f0c0ffee1@mail.localhost>',
  date: AT,
  environment: 'live',
  from: { address: 'hello@acme.test', name: 'Acme' },
  to: { address: 'ada@example.com', name: '' },
  replyTo: 'help@acme.test',
  subject: 'Hello',
  html: '<p>Hi</p>',
  text: 'Hi',
  headers: [
    ['List-Unsubscribe', '<https://waypost.example/u/1>'],
    ['List-Unsubscribe-Post', 'List-Unsubscribe=One-Click'],
    ['Feedback-ID', 'campaign:acme'],
  ],
};
const messageOf = (parts: Partial<MessageParts> = {}): Buffer =>
  finished(buildMessage({ ...PARTS, ...parts })).result;

test('a message passes, and what is signed stands in h=', async () => {
  const message = signed(messageOf());
  expect(await verdict(message)).toBe('pass');
  const [head = ''] = message.toString().split('\r\n\r\n');
  for (const line of head.split('\r\n')) expect(line.length).toBeLessThanOrEqual(78);
  const [, names = ''] = /h=([^;]*);/.exec(head) ?? [];
  expect(names.replace(/\s/g, '').split(':')).toEqual([
    'From',
    'From',
    'To',
    'To',
    'Subject',
    'Subject',
    'Date',
    'Message-ID',
    'MIME-Version',
    'Content-Type',
    'Reply-To',
    'List-Unsubscribe',
    'List-Unsubscribe-Post',
    'Feedback-ID',
  ]);
});

test.each([
  ['From: Acme', 'From: Evil'],
  ['To: ada', 'To: eve'],
  ['Subject: Hello', 'Subject: Hallo'],
  ['Reply-To: help', 'Reply-To: evil'],
  ['/u/1>', '/u/2>'],
  ['One-Click', 'Two-Click'],
  ['campaign:acme', 'campaign:evil'],
  ['multipart/alternative', 'multipart/mixed'],
  ['<p>Hi</p>', '<p>Ho</p>'],
  ['\r\n\r\nHi\r\n', '\r\n\r\nHo\r\n'],
  ['From: Acme', 'From: Evil <evil@evil.test>\r\nFrom: Acme'],
  ['From: Acme', 'Subject: Another\r\nFrom: Acme'],
  ['From: Acme', 'To: another@example.com\r\nFrom: Acme'],
])('a message in which %j has become %j does not', async (original, changed) => {
  const message = signed(messageOf()).toString('latin1');
  expect(message).toContain(original);
  expect(await verdict(Buffer.from(message.replace(original, changed), 'latin1'))).not.toBe('pass');
});

test('a content of other letters that has changed does not either', async () => {
  const message = signed(messageOf({ html: '<p>Hi</p>😀' })).toString('latin1');
  expect(await verdict(Buffer.from(message, 'latin1'))).toBe('pass');
  expect(await verdict(Buffer.from(message.replace('8J+YgA==', '8J+YgQ=='), 'latin1'))).not.toBe('pass');
});

test('what servers on the way may do to it changes nothing', async () => {
  const message = signed(messageOf({ subject: 'A subject with words. '.repeat(12) })).toString('latin1');
  const reached = `Received: from a by b; now\r\n${message}`
    .replace('Subject: A', 'SUBJECT:   A')
    .replace('\r\nDate: ', '\r\ndate:\r\n  ');
  expect(await verdict(Buffer.from(`${reached}\r\n\r\n`, 'latin1'))).toBe('pass');
});

test('whatever the parts are, the message passes', async () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 120 }),
    fc
      .array(fc.constantFrom('\r\n', ' ', '\t', 'Bcc: x@y.z', 'ä', '😀', 'word', '"', '=?UTF-8?B?', ';', ':'))
      .map((words) => words.join('')),
  );
  await fc.assert(
    fc.asyncProperty(text, text, text, async (subject, name, body) => {
      const from = { ...PARTS.from, name };
      expect(await verdict(signed(messageOf({ subject, from, html: body, text: '' })))).toBe('pass');
    }),
    { numRuns: runs(50) },
  );
});

test('whatever the white space of a body is, it passes', async () => {
  const line = fc
    .array(fc.constantFrom(' ', '\t', 'a', 'b', '  ', '.'), { maxLength: 12 })
    .map((parts) => parts.join(''));
  const head = 'From: hello@acme.test\r\nTo: ada@example.com\r\nSubject: Hello\r\n\r\n';
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 12 }), async (lines) => {
      const body = ['text', ...lines, ''].join('\r\n');
      expect(await verdict(signed(Buffer.from(head + body)))).toBe('pass');
    }),
    { numRuns: runs(100) },
  );
});

test('a large message is hashed in pieces, and one as usual in one', async () => {
  const large = messageOf({ html: '€'.repeat(1_000_000) });
  expect(finished(prepareDkim(large, { domain: 'acme.test', selector: 'w1' }, AT)).pieces).toBeGreaterThan(
    10,
  );
  expect(await verdict(signed(large))).toBe('pass');
  const usual = messageOf({ html: 'x'.repeat(100_000) });
  expect(finished(prepareDkim(usual, { domain: 'acme.test', selector: 'w1' }, AT)).pieces).toBe(1);
  const spaced = Buffer.from(`From: a@acme.test\r\n\r\n${'a  b \r\n'.repeat(100_000)}`);
  expect(await verdict(signed(spaced))).toBe('pass');
});
