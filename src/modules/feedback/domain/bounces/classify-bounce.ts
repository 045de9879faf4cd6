/**
 * Decides whether a bounce is hard, which means that the address is dead. The most specific evidence wins: the
 * innermost of nested replies, an enhanced code in the reply before the status of the report, words where codes leave
 * it open. A bounce without evidence, or with contradictory evidence, is soft: an address that keeps bouncing is
 * suppressed anyway.
 */
import type { BounceKind } from '../../../delivery/domain/engagement.js';
import { hardReasonOf, softReasonOf, type HardReason, type SoftReason } from './bounce-phrases.js';
import { replyWords } from './reply-words.js';
import { enhancedCodeOf, isGeneric, repliesOf, type ServerReply } from './server-reply.js';

export type BounceReason = HardReason | SoftReason;

export interface BounceEvidence {
  /** `Status` of a report (RFC 3464), or a provider's code; null if there is none. */
  readonly status: string | null;
  /** The server's reply; null if there is none. */
  readonly diagnostic: string | null;
}

export interface BounceVerdict {
  readonly kind: BounceKind;
  readonly reason: BounceReason;
  /** The code that decided, such as 5.1.1; null if there is none. */
  readonly code: string | null;
}

/** Codes that prove by themselves that the address is dead (RFC 3463, RFC 7505, and Microsoft's 5.4.310). */
const HARD_CODES: ReadonlyMap<string, HardReason> = new Map([
  ['5.1.1', 'no_mailbox'],
  ['5.1.2', 'no_domain'],
  ['5.1.3', 'no_mailbox'],
  ['5.1.6', 'no_mailbox'],
  ['5.1.10', 'no_mailbox'],
  ['5.2.1', 'mailbox_disabled'],
  ['5.4.4', 'no_domain'],
  ['5.4.310', 'no_domain'],
]);
/** Codes that servers use for dead mailboxes and for much else. Words decide. */
const AMBIGUOUS_CODES = /^5\.(?:0\.\d+|1\.(?![789]$)\d+|[2347]\.0|4\.1|5\.\d+|7\.1|7\.1[378])$/;
/** Codes of policy and of the receiving system, which outweigh words such as `mailbox unavailable`. */
const OUTWEIGHS_WEAK_WORDS = /^5\.[37]\./;
const SOFT_CODES: readonly (readonly [RegExp, SoftReason])[] = [
  [/^\d\.1\.[789]$/, 'sender'],
  [/^\d\.2\.2$/, 'mailbox_full'],
  [/^\d\.(?:2\.3|3\.4)$/, 'message_too_large'],
  [/^\d\.6\./, 'content'],
  [/^\d\.7\.(?:8|9|2\d|30)$/, 'authentication'],
  [/^\d\.7\./, 'policy'],
  [/^4\./, 'temporary'],
  [/^\d\.[34]\./, 'temporary'],
];
/** RFC 5321: exceeded storage allocation. */
const STORAGE_EXCEEDED = 552;
/** Microsoft's reply for a mailbox that does not exist, with 5.4.1. */
const NO_SUCH_RECIPIENT = / recipient address(?:es)? rejected access denied /;
/** The rejected command, as Exim, Postfix and Sendmail report it. No recipient was named yet. */
const MAIL_FROM_COMMAND = ' mail from ';

export function classifyBounce({ status, diagnostic }: BounceEvidence): BounceVerdict {
  const replies = repliesOf(diagnostic ?? '');
  const reply = replies.findLast(hasEvidence) ?? replies.at(-1) ?? { code: null, enhanced: null, words: ' ' };
  const statusCode = (status === null ? undefined : enhancedCodeOf(status)) ?? null;
  const code =
    [reply.enhanced, statusCode].find((one) => one !== null && !isGeneric(one)) ??
    reply.enhanced ??
    statusCode;
  const verdict = (kind: BounceKind, reason: BounceReason): BounceVerdict => ({ kind, reason, code });
  const words =
    code === '5.4.1' ? reply.words.replace(NO_SUCH_RECIPIENT, ' recipient address rejected ') : reply.words;
  const isOfSender = replyWords(diagnostic ?? '').includes(MAIL_FROM_COMMAND);
  const softWords = softReasonOf(words) ?? (isOfSender ? 'sender' : undefined);
  const isTransient =
    [reply.code, replies.at(-1)?.code ?? null].some(isTemporary) || [code, statusCode].some(isOfClass4);
  if (isTransient)
    return verdict(
      'soft',
      softWords ?? softReasonOfCode(code) ?? (isStorageExceeded(reply) ? 'mailbox_full' : 'temporary'),
    );
  if (softWords !== undefined) return verdict('soft', softWords);
  const hardCode = code === null ? undefined : HARD_CODES.get(code);
  const isAmbiguous = code === null || AMBIGUOUS_CODES.test(code);
  if (!isAmbiguous && hardCode === undefined) return verdict('soft', softReasonOfCode(code) ?? 'unknown');
  const hardWords = hardReasonOf(words);
  if (hardWords && (hardWords.isStrong || !OUTWEIGHS_WEAK_WORDS.test(code ?? '')))
    return verdict(
      'hard',
      hardCode === 'mailbox_disabled' && !hardWords.isStrong ? hardCode : hardWords.reason,
    );
  return hardCode === undefined
    ? verdict('soft', softReasonOfCode(code) ?? 'unknown')
    : verdict('hard', hardCode);
}

/** Whether a server's reply in the SMTP session, such as `550 5.1.1 no such user`, is a hard bounce. */
export function isHardRejection(reply: string): boolean {
  return classifyBounce({ status: null, diagnostic: reply }).kind === 'hard';
}

function hasEvidence({ enhanced, words }: ServerReply): boolean {
  return (
    (enhanced !== null && !isGeneric(enhanced)) ||
    softReasonOf(words) !== undefined ||
    hardReasonOf(words) !== undefined
  );
}

function isTemporary(code: number | null): boolean {
  return code !== null && (code < 500 || code === STORAGE_EXCEEDED);
}

function isStorageExceeded({ code }: ServerReply): boolean {
  return code === STORAGE_EXCEEDED;
}

function isOfClass4(code: string | null): boolean {
  return code?.startsWith('4') ?? false;
}

function softReasonOfCode(code: string | null): SoftReason | undefined {
  return code === null ? undefined : SOFT_CODES.find(([pattern]) => pattern.test(code))?.[1];
}
