/**
 * A whole message as bytes, RFC 5322 and MIME: text and HTML as alternatives, UTF-8. The same input gives
 * the same bytes, so that a repeated attempt repeats the message.
 */
import type { Environment } from '../../../../kernel/tenant-scope.js';
import type { Mailbox } from '../email-address.js';
import { bodyOf, type Body } from './body.js';
import { exactField, mailboxField, textField } from './header.js';

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
  const boundary = `=_${parts.messageId.replace(/[^A-Za-z0-9-]/g, '').slice(0, 60)}_`;
  const html = yield* bodyOf(parts.html, boundary);
  if (parts.text === '') return yield* assemble([[`${head(parts)}${partHead('html', html)}`, html]], '');
  const text = yield* bodyOf(parts.text, boundary);
  const multipart = `Content-Type: multipart/alternative;\r\n boundary="${boundary}"\r\n\r\n`;
  return yield* assemble(
    [
      [`${head(parts)}${multipart}--${boundary}\r\n${partHead('plain', text)}`, text],
      [`--${boundary}\r\n${partHead('html', html)}`, html],
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

function partHead(subtype: 'plain' | 'html', { encoding }: Body): string {
  return `Content-Type: text/${subtype}; charset=utf-8\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n`;
}

/** Heads and bodies in their order, then the tail, in one buffer of exactly the right size. */
function* assemble(
  parts: readonly (readonly [head: string, body: Body])[],
  tail: string,
): Generator<void, Buffer> {
  const size = parts.reduce((sum, [text, body]) => sum + text.length + body.size, tail.length);
  const message = Buffer.allocUnsafe(size);
  let at = 0;
  for (const [text, body] of parts) {
    at += message.write(text, at, 'latin1');
    at = yield* body.write(message, at);
  }
  message.write(tail, at, 'latin1');
  return message;
}
