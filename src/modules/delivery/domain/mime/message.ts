/**
 * A whole message as bytes, RFC 5322 and MIME: text and HTML as alternatives, UTF-8, base64. The same input gives
 * the same bytes, so that a repeated attempt repeats the message.
 */
import type { Environment } from '../../../../kernel/tenant-scope.js';
import type { Mailbox } from '../email-address.js';
import { encodedLength, writeBase64Lines } from './base64-lines.js';
import { exactField, mailboxField, textField } from './header.js';
import { utf8 } from './utf8.js';

export interface MessageParts {
  /** With its angle brackets. */
  readonly messageId: string;
  readonly date: Date;
  readonly environment: Environment;
  readonly from: Mailbox;
  readonly to: Mailbox;
  readonly replyTo: string | null;
  readonly subject: string;
  readonly html: string;
  /** The plain-text alternative; when it is empty the message is HTML alone. */
  readonly text: string;
  /** Further fields of the service's own. */
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/**
 * The message, ready for the wire except for the doubling of leading dots. A large one, up to ten million characters,
 * takes a tenth of a second and more; so it is built in pieces, between which its caller may serve others.
 */
export function* buildMessage(parts: MessageParts): Generator<void, Buffer> {
  const html = yield* utf8(parts.html);
  if (parts.text === '') return yield* assemble(`${head(parts)}${partHead('html')}`, [['', html]], '');
  // An underscore never stands in base64, so no body can hold the boundary.
  const boundary = `=_${parts.messageId.replace(/[^A-Za-z0-9-]/g, '').slice(0, 60)}_`;
  const text = yield* utf8(parts.text);
  return yield* assemble(
    `${head(parts)}Content-Type: multipart/alternative;\r\n boundary="${boundary}"\r\n\r\n`,
    [
      [`--${boundary}\r\n${partHead('plain')}`, text],
      [`--${boundary}\r\n${partHead('html')}`, html],
    ],
    `--${boundary}--\r\n`,
  );
}

function head({ messageId, date, environment, from, to, replyTo, subject, headers }: MessageParts): string {
  return (
    mailboxField('From', from) +
    mailboxField('To', to) +
    (replyTo === null ? '' : mailboxField('Reply-To', { address: replyTo, name: '' })) +
    textField('Subject', subject) +
    exactField('Message-ID', messageId) +
    exactField('Date', date.toUTCString().replace('GMT', '+0000')) +
    headers.map(([name, value]) => exactField(name, value)).join('') +
    exactField('X-Waypost-Environment', environment) +
    'MIME-Version: 1.0\r\n'
  );
}

function partHead(subtype: 'plain' | 'html'): string {
  return `Content-Type: text/${subtype}; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n`;
}

/** Heads and bodies in their order, then the tail, in one buffer of exactly the right size. */
function* assemble(
  start: string,
  bodies: readonly (readonly [head: string, body: Buffer])[],
  tail: string,
): Generator<void, Buffer> {
  const heads = bodies.map(([text], index) => Buffer.from(index === 0 ? start + text : text));
  const size = bodies.reduce(
    (sum, [, body], index) => sum + (heads[index]?.length ?? 0) + encodedLength(body.length),
    tail.length,
  );
  const message = Buffer.allocUnsafe(size);
  let at = 0;
  for (const [index, [, body]] of bodies.entries()) {
    at += heads[index]?.copy(message, at) ?? 0;
    at = yield* writeBase64Lines(message, at, body);
  }
  message.write(tail, at, 'latin1');
  return message;
}
