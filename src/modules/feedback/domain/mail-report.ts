/**
 * Reads the parts of mail that comes back: delivery status notifications (RFC 3464) and abuse reports (RFC 5965), once a
 * MIME parser has taken the message apart. Who sent such mail proves nothing: only the token that our own message bore
 * says which message it is about (delivery/domain/feedback-token).
 */
import { FEEDBACK_FIELD, tokenOfReturnPath } from '../../delivery/domain/feedback-token.js';
import { keptDetail } from '../../delivery/domain/kept-detail.js';
import { bounceOf } from './bounce-kind.js';
import { NOTHING_TOLD, type FeedbackFacts } from './feedback.js';

/** A message in its parts. */
export interface TakenApart {
  /** Fields of the message itself, names in lower case. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly parts: readonly { readonly type: string; readonly text: string }[];
}

export interface MailReport {
  readonly type: 'dsn.failed' | 'dsn.delayed' | 'arf.abuse' | 'dsn.other' | 'arf.other';
  readonly facts: FeedbackFacts;
  /** Texts that may be a token of ours. */
  readonly tokens: readonly string[];
}

/** Fields in which servers keep the address that a message was delivered to. */
const DELIVERED_TO = new Set(['delivered-to', 'x-original-to', 'envelope-to', 'x-envelope-to', 'to']);
const RETURNED = new Set([
  'message/rfc822',
  'text/rfc822-headers',
  'message/rfc822-headers',
  'message/global',
]);
const MOST_TOKENS = 8;
const LONGEST_FIELD = 2_000;

/** The report; undefined where the message is none. */
export function readMailReport({ fields, parts }: TakenApart): MailReport | undefined {
  const returned = parts
    .filter(({ type }) => RETURNED.has(type))
    .flatMap(({ text }) => fieldsOf(text.split(/\r?\n\r?\n/, 1)[0] ?? ''));
  const tokens = [
    ...fields.filter(([name]) => DELIVERED_TO.has(name)).flatMap(([, value]) => addressesOf(value)),
    ...returned.flatMap(([name, value]) => (name === FEEDBACK_FIELD.toLowerCase() ? [value.trim()] : [])),
  ].slice(0, MOST_TOKENS);
  const textOf = (type: string): string | undefined => parts.find((part) => part.type === type)?.text;
  const abuse = textOf('message/feedback-report');
  if (abuse !== undefined) return abuseReport(abuse, tokens);
  const status = textOf('message/delivery-status') ?? textOf('message/global-delivery-status');
  return status === undefined ? undefined : deliveryReport(status, tokens);
}

function abuseReport(text: string, tokens: readonly string[]): MailReport {
  const kind = valueOf(fieldsOf(text), 'feedback-type')?.toLowerCase();
  // `not-spam` takes a complaint back that was never one of ours; other kinds are no word of the recipient.
  return kind === 'abuse' || kind === 'fraud'
    ? { type: 'arf.abuse', tokens, facts: { ...NOTHING_TOLD, kind: 'complained' } }
    : { type: 'arf.other', tokens, facts: NOTHING_TOLD };
}

/** One message has one recipient: the worst of what is told of recipients is told of it. */
function deliveryReport(text: string, tokens: readonly string[]): MailReport {
  const recipients = text
    .split(/\r?\n(?:[ \t]*\r?\n)+/)
    .map(fieldsOf)
    .filter((fields) => valueOf(fields, 'action') !== undefined);
  const failed = recipients.find((fields) => actionOf(fields) === 'failed');
  if (failed) {
    const detail = valueOf(failed, 'diagnostic-code')?.replace(/^[\w-]+;\s*/, '');
    const bounce = bounceOf({
      words: [],
      code: valueOf(failed, 'status') ?? null,
      detail: detail === undefined ? null : keptDetail(detail),
    });
    return { type: 'dsn.failed', tokens, facts: { ...NOTHING_TOLD, kind: 'bounced', bounce } };
  }
  const [first] = recipients;
  // A relay takes over what it cannot follow, and a delay may end well: neither is a bounce nor a delivery.
  if (first && actionOf(first) === 'delivered')
    return { type: 'dsn.other', tokens, facts: { ...NOTHING_TOLD, kind: 'delivered' } };
  const isDelayed = first !== undefined && actionOf(first) === 'delayed';
  return { type: isDelayed ? 'dsn.delayed' : 'dsn.other', tokens, facts: NOTHING_TOLD };
}

type Fields = readonly (readonly [name: string, value: string])[];

/** Fields of a header, unfolded, names in lower case; lines that are none are passed over. */
function fieldsOf(header: string): Fields {
  const fields: [string, string][] = [];
  for (const line of header.split(/\r?\n/)) {
    const last = fields.at(-1);
    if (/^[ \t]/.test(line) && last) last[1] = `${last[1]} ${line.trim()}`.slice(0, LONGEST_FIELD);
    const colon = line.indexOf(':');
    if (/^[ \t]/.test(line) || colon < 1) continue;
    fields.push([
      line.slice(0, colon).trim().toLowerCase(),
      line
        .slice(colon + 1)
        .trim()
        .slice(0, LONGEST_FIELD),
    ]);
  }
  return fields;
}

function valueOf(fields: Fields, name: string): string | undefined {
  return fields
    .find(([field]) => field === name)?.[1]
    .replaceAll('\0', '')
    .toWellFormed();
}

function actionOf(fields: Fields): string | undefined {
  return valueOf(fields, 'action')
    ?.split(/[\s;(]/, 1)[0]
    ?.toLowerCase();
}

/** Tokens of return paths among addresses. */
function addressesOf(value: string): string[] {
  const words = value.slice(0, LONGEST_FIELD).split(/[\s<>,;"]+/);
  return words.flatMap((word) => tokenOfReturnPath(word) ?? []);
}
