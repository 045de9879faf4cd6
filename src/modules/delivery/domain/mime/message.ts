/**
 * Builds a whole message as bytes, RFC 5322 and MIME: text and HTML as alternatives, UTF-8, with inline images and
 * attached files. The same input gives the same bytes, so a repeated attempt repeats the message.
 */
import type { Environment } from '../../../../kernel/tenant-scope.js';
import type { Mailbox } from '../email-address.js';
import { attachedHead, bodyOfBytes, type Attachment } from './attachment.js';
import { bodyOf, type Body } from './body.js';
import { exactField, mailboxField, textField } from './header.js';

export interface MessageParts {
  /** With angle brackets. */
  readonly messageId: string;
  readonly date: Date;
  readonly environment: Environment;
  readonly from: Mailbox;
  readonly to: Mailbox;
  readonly replyTo: string | null;
  readonly subject: string;
  readonly html: string;
  /** The plain-text alternative. If it is empty, the message is HTML only. */
  readonly text: string;
  /** Further fields, set by the product. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Images of the HTML, and files; absent means none. */
  readonly attachments?: readonly Attachment[];
}

/** A part with its header, or a group of parts. */
type Node =
  | { readonly head: string; readonly body: Body }
  | { readonly subtype: 'alternative' | 'related' | 'mixed'; readonly nodes: readonly Node[] };

/**
 * Builds the message, complete except for the doubling of leading dots. A large one, up to ten million characters,
 * takes a tenth of a second or more, so it is built in pieces, between which the caller can run other work.
 */
export function* buildMessage(parts: MessageParts): Generator<void, Buffer> {
  const name = `_${parts.messageId.replace(/[^A-Za-z0-9-]/g, '').slice(0, 60)}_`;
  const html = textPart('html', yield* bodyOf(parts.html, name));
  let content: Node = html;
  if (parts.text !== '') {
    const text = textPart('plain', yield* bodyOf(parts.text, name));
    content = { subtype: 'alternative', nodes: [text, html] };
  }
  const { attachments = [] } = parts;
  const [pictures, files] = [true, false].map((isPicture) =>
    attachments.filter(({ contentId }) => (contentId !== null) === isPicture).map(attachmentPart),
  ) as [Node[], Node[]];
  if (pictures.length > 0) content = { subtype: 'related', nodes: [content, ...pictures] };
  if (files.length > 0) content = { subtype: 'mixed', nodes: [content, ...files] };
  const collected: [string, Body | undefined][] = [[head(parts), undefined]];
  collectParts(content, name, collected);
  return yield* assemble(collected);
}

function textPart(subtype: 'plain' | 'html', body: Body): Node {
  return { head: partHead(subtype, body), body };
}

function attachmentPart(attachment: Attachment): Node {
  return { head: attachedHead(attachment), body: bodyOfBytes(attachment.content) };
}

/** Endings of the boundaries of each group. No boundary is a prefix of another one. */
const BOUNDARY_PREFIX = { alternative: '=', related: '=r', mixed: '=m' } as const;

/** Lists headers and bodies in order. @param name the common part of all boundaries of the message. */
function collectParts(node: Node, name: string, collected: [string, Body | undefined][]): void {
  if ('body' in node) {
    collected.push([node.head, node.body]);
    return;
  }
  const boundary = `${BOUNDARY_PREFIX[node.subtype]}${name}`;
  const type = node.subtype === 'related' ? ` type="${typeOf(node.nodes[0])}";\r\n` : '';
  collected.push([
    `Content-Type: multipart/${node.subtype};\r\n${type} boundary="${boundary}"\r\n\r\n`,
    undefined,
  ]);
  for (const inner of node.nodes) {
    collected.push([`--${boundary}\r\n`, undefined]);
    collectParts(inner, name, collected);
  }
  collected.push([`--${boundary}--\r\n`, undefined]);
}

function typeOf(root: Node | undefined): string {
  return root && 'subtype' in root ? `multipart/${root.subtype}` : 'text/html';
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

/** Writes headers and bodies in order into one buffer of exactly the right size. */
function* assemble(
  parts: readonly (readonly [head: string, body: Body | undefined])[],
): Generator<void, Buffer> {
  const size = parts.reduce((sum, [text, body]) => sum + text.length + (body?.size ?? 0), 0);
  const message = Buffer.allocUnsafe(size);
  let at = 0;
  for (const [text, body] of parts) {
    at += message.write(text, at, 'latin1');
    if (body) at = yield* body.write(message, at);
  }
  return message;
}
