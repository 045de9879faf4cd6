/**
 * Parses returned mail, after a MIME parser has split it: delivery status notifications (RFC 3464), bounces in prose,
 * abuse reports (RFC 5965), and the copies sent by Microsoft's Junk Mail Reporting Program. The sender of such mail
 * proves nothing: only the token in our own message identifies the message (delivery/domain/feedback-token).
 */
import { FEEDBACK_FIELD, tokenOfReturnPath } from '../../delivery/domain/feedback-token.js';
import { storableDetail } from '../../delivery/domain/storable-detail.js';
import { classifyBounce, type BounceEvidence, type BounceVerdict } from './bounces/classify-bounce.js';
import { readProseBounce, diagnosticInProse } from './bounces/prose-bounce.js';
import { isGeneric } from './bounces/server-reply.js';
import { EMPTY_FEEDBACK, type FeedbackData } from './feedback.js';

/** A parsed message. */
export interface ParsedMail {
  /** Fields of the message itself, with lower-case names. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly parts: readonly { readonly type: string; readonly text: string }[];
  /** Its body as text. */
  readonly text: string;
}

export interface MailReport {
  readonly type:
    | 'dsn.failed'
    | 'dsn.delayed'
    | 'dsn.other'
    | 'prose.failed'
    | 'prose.delayed'
    | 'arf.abuse'
    | 'arf.other'
    | 'jmrp.abuse';
  readonly facts: FeedbackData;
  /** Only for bounces. */
  readonly verdict?: BounceVerdict;
  /** Texts that may be one of our tokens. */
  readonly tokens: readonly string[];
}

/** Fields in which servers store the address that a message was delivered to. */
const DELIVERED_TO = new Set(['delivered-to', 'x-original-to', 'envelope-to', 'x-envelope-to', 'to']);
const RETURNED = new Set([
  'message/rfc822',
  'text/rfc822-headers',
  'message/rfc822-headers',
  'message/global',
]);
/** The field that Microsoft adds to the copy of a message that a recipient marked as junk. */
const JMRP_FIELD = 'x-hmxmroriginalrecipient';
const MAX_TOKENS = 8;
const MAX_RECIPIENTS = 100;
const MAX_FIELD_CHARS = 2_000;

/** The report; undefined if the message is not a report. */
export function readMailReport({ fields, parts, text }: ParsedMail): MailReport | undefined {
  const returned = parts
    .filter(({ type }) => RETURNED.has(type))
    .flatMap((part) => fieldsOf(part.text.split(/\r?\n\r?\n/, 1)[0] ?? ''));
  const returnPaths = fields
    .filter(([name]) => DELIVERED_TO.has(name))
    .flatMap(([, value]) => addressesOf(value));
  const tokens = [...returnPaths, ...tokensOf(returned)].slice(0, MAX_TOKENS);
  const textOf = (type: string): string | undefined => parts.find((part) => part.type === type)?.text;
  const abuse = textOf('message/feedback-report');
  if (abuse !== undefined) return abuseReport(abuse, tokens);
  const status = textOf('message/delivery-status') ?? textOf('message/global-delivery-status');
  if (status !== undefined) return deliveryReport(status, text, tokens);
  return junkReport(fields, returned) ?? proseReport(fields, text, returnPaths.slice(0, MAX_TOKENS));
}

/** A copy of our message, either attached or as the message itself. */
function junkReport(fields: Fields, returned: Fields): MailReport | undefined {
  const copy = [returned, fields].find((header) => valueOf(header, JMRP_FIELD) !== undefined);
  if (!copy) return undefined;
  const tokens = tokensOf(copy).slice(0, MAX_TOKENS);
  return { type: 'jmrp.abuse', tokens, facts: { ...EMPTY_FEEDBACK, kind: 'complained' } };
}

/** Only the return path that it arrived at counts: replies of people may quote the token, too. */
function proseReport(fields: Fields, text: string, tokens: readonly string[]): MailReport | undefined {
  const prose = readProseBounce(fields, text);
  if (!prose) return undefined;
  return prose.action === 'delayed'
    ? { type: 'prose.delayed', tokens, facts: EMPTY_FEEDBACK }
    : bounced('prose.failed', tokens, [{ status: null, diagnostic: prose.diagnostic }]);
}

function abuseReport(text: string, tokens: readonly string[]): MailReport {
  const kind = valueOf(fieldsOf(text), 'feedback-type')?.toLowerCase();
  // `not-spam` withdraws a complaint that was never reported to us; other kinds do not come from the recipient.
  return kind === 'abuse' || kind === 'fraud'
    ? { type: 'arf.abuse', tokens, facts: { ...EMPTY_FEEDBACK, kind: 'complained' } }
    : { type: 'arf.other', tokens, facts: EMPTY_FEEDBACK };
}

/** One message has one recipient. If it was forwarded to several, one that is alive keeps the address alive. */
function deliveryReport(text: string, prose: string, tokens: readonly string[]): MailReport {
  const recipients = text
    .split(/\r?\n(?:[ \t]*\r?\n)+/, MAX_RECIPIENTS)
    .map(fieldsOf)
    .filter((fields) => valueOf(fields, 'action') !== undefined);
  const failed = recipients.filter((fields) => actionOf(fields) === 'failed');
  if (failed.length > 0) {
    const evidence = failed.map((fields) => evidenceOf(fields, prose));
    return bounced('dsn.failed', tokens, evidence, failed.length < recipients.length);
  }
  const [first] = recipients;
  // A relay hands the message to a system it cannot track, and a delayed message may still arrive: neither is a
  // bounce or a delivery.
  if (first && actionOf(first) === 'delivered')
    return { type: 'dsn.other', tokens, facts: { ...EMPTY_FEEDBACK, kind: 'delivered' } };
  const isDelayed = first !== undefined && actionOf(first) === 'delayed';
  return { type: isDelayed ? 'dsn.delayed' : 'dsn.other', tokens, facts: EMPTY_FEEDBACK };
}

/** A report without a reason may give it in its text part. */
function evidenceOf(fields: Fields, prose: string): BounceEvidence {
  const status = valueOf(fields, 'status') ?? null;
  const diagnostic = fields
    .filter(([name]) => name === 'diagnostic-code')
    .map(([, value]) => value.replace(/^[\w-]+;\s*/, ''))
    .filter((value) => value !== '')
    .join(' ');
  if (diagnostic !== '') return { status, diagnostic: diagnostic };
  const hasReason = status !== null && /^\d\.\d+\.\d+/.test(status) && !isGeneric(status);
  return { status, diagnostic: hasReason ? null : diagnosticInProse(prose) };
}

/**
 * @param mayBeAlive whether the report contains anything other than failures.
 */
function bounced(
  type: 'dsn.failed' | 'prose.failed',
  tokens: readonly string[],
  evidence: readonly BounceEvidence[],
  mayBeAlive = false,
): MailReport {
  const all = evidence.map((one) => ({ ...one, verdict: classifyBounce(one) }));
  const decisive = all.find(({ verdict }) => verdict.kind === 'soft') ?? all[0];
  if (!decisive) return { type, tokens, facts: EMPTY_FEEDBACK };
  const { diagnostic } = decisive;
  const verdict: BounceVerdict = mayBeAlive ? { ...decisive.verdict, kind: 'soft' } : decisive.verdict;
  const detail = diagnostic === null || diagnostic === '' ? null : storableDetail(diagnostic);
  const bounce = { kind: verdict.kind, code: verdict.code, detail };
  return { type, tokens, verdict, facts: { ...EMPTY_FEEDBACK, kind: 'bounced', bounce } };
}

type Fields = readonly (readonly [name: string, value: string])[];

/** Fields of a header, unfolded, with lower-case names; invalid lines are ignored. */
function fieldsOf(header: string): Fields {
  const fields: [string, string][] = [];
  for (const line of header.split(/\r?\n/)) {
    const last = fields.at(-1);
    if (/^[ \t]/.test(line) && last) last[1] = `${last[1]} ${line.trim()}`.slice(0, MAX_FIELD_CHARS);
    const colon = line.indexOf(':');
    if (/^[ \t]/.test(line) || colon < 1) continue;
    fields.push([
      line.slice(0, colon).trim().toLowerCase(),
      line
        .slice(colon + 1)
        .trim()
        .slice(0, MAX_FIELD_CHARS),
    ]);
  }
  return fields;
}

function valueOf(fields: Fields, name: string): string | undefined {
  return fields.find(([field]) => field === name)?.[1];
}

/** Possible tokens in the fields of one of our messages. */
function tokensOf(fields: Fields): string[] {
  return fields.flatMap(([name, value]) => {
    if (name === FEEDBACK_FIELD.toLowerCase()) return [value.trim()];
    return name === 'return-path' ? addressesOf(value) : [];
  });
}

function actionOf(fields: Fields): string | undefined {
  return valueOf(fields, 'action')
    ?.split(/[\s;(]/, 1)[0]
    ?.toLowerCase();
}

/** Tokens of return paths among addresses. */
function addressesOf(value: string): string[] {
  const words = value.slice(0, MAX_FIELD_CHARS).split(/[\s<>,;"]+/);
  return words.flatMap((word) => tokenOfReturnPath(word) ?? []);
}
