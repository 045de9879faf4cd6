import { DomainError } from '../../../kernel/domain-error.js';
import { MAX_BODY_BYTES } from '../../templates/domain/template-limits.js';
import { readInput } from '../../../platform/input/read-input.js';
import type { TestSend } from '../domain/test-send.js';
import { TestEmailInput, testSendOf } from './test-send.input.js';

const readTestSend = (body: unknown): TestSend => testSendOf(readInput(TestEmailInput, body, 'body'));

const GOOD = { to_emails: ['ada@example.com'], body_html: '<p>Hi</p>' };

function refusal(input: unknown): DomainError {
  try {
    readTestSend(input);
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
  throw new Error('It was not refused.');
}

test('reads what is given', () => {
  expect(
    readTestSend({
      ...GOOD,
      subject: ' Hello ',
      sender_name: 'Olive',
      from_email: ' olive@acme.test ',
      reply_to: 'help@acme.test',
    }),
  ).toEqual({
    toEmails: ['ada@example.com'],
    subject: 'Hello',
    bodyHtml: '<p>Hi</p>',
    sender: { fromName: 'Olive', fromEmail: 'olive@acme.test', replyTo: 'help@acme.test' },
  });
});

test.each([
  ['absent', {}],
  ['null', { subject: null, sender_name: null, from_email: null, reply_to: null }],
  ['blank', { subject: ' ', sender_name: ' ' }],
])('fills in what is %s', (_name, more) => {
  expect(readTestSend({ ...GOOD, ...more })).toEqual({
    toEmails: ['ada@example.com'],
    subject: 'Test email',
    bodyHtml: '<p>Hi</p>',
    sender: {},
  });
});

test('counts characters, not halves of them', () => {
  const emoji = '😀'.repeat(255);
  expect(readTestSend({ ...GOOD, subject: emoji, sender_name: emoji })).toMatchObject({
    subject: emoji,
    sender: { fromName: emoji },
  });
});

test.each(['to_emails', 'body_html'])('answers 400 without %s', (field) => {
  expect(refusal({ ...GOOD, [field]: undefined })).toMatchObject({
    code: 'validation_error',
    fields: { errors: [{ field }] },
  });
});

test.each([[undefined], [null], ['text'], [[]]])('answers 400 to the body %j', (body) => {
  expect(refusal(body).code).toBe('validation_error');
});

test.each<[string, unknown]>([
  ['to_emails', []],
  ['to_emails', Array<string>(6).fill('a@b.c')],
  ['to_emails', 'a@b.c'],
  ['to_emails', null],
  ['to_emails', ['a@b.c', 1]],
  ['body_html', ''],
  ['body_html', 1],
  ['body_html', 'é'.repeat(MAX_BODY_BYTES / 2 + 1)],
  ['subject', 1],
  ['subject', 'x'.repeat(256)],
  ['sender_name', {}],
  ['sender_name', 'x'.repeat(256)],
  ['subject', '😀'.repeat(256)],
  ['sender_name', '😀'.repeat(256)],
  ['body_html', '<p>\0</p>'],
  ['body_html', '\ud800'],
  ['subject', 'a\0b'],
  ['subject', '\udc00'],
  ['sender_name', 'Acme\0'],
  ['sender_name', '\ud800'],
  ['from_email', ''],
  ['from_email', 'acme'],
  ['from_email', 'a@b.c\r\nBcc: x@y.z'],
  ['reply_to', ''],
  ['reply_to', 'a@b.c\r\nBcc: x@y.z'],
  ['bcc', 'x@y.z'],
  ['toString', 'x'],
])('answers 422 naming %s', (field, value) => {
  expect(refusal({ ...GOOD, [field]: value })).toMatchObject({
    code: 'invalid_field',
    fields: { errors: [{ field }] },
  });
});

test('a malformed recipient is no fault of the request', () => {
  expect(readTestSend({ ...GOOD, to_emails: ['nobody', ''] }).toEmails).toEqual(['nobody', '']);
});

test('what is wrong is named as the caller of GraphQL wrote it', () => {
  const written = { toEmails: [], bodyHtml: '', fromEmail: 'acme' };
  expect(() => readInput(TestEmailInput, written, 'graphql')).toThrow(/toEmails: .*bodyHtml: .*fromEmail: /);
});
