/**
 * Decides from what is told of a failure whether the address is dead. The most specific evidence counts: the innermost of
 * nested replies, an enhanced code in it before the status of the report, words where codes leave it open. Where evidence
 * is missing or contradicts itself the address stays, since soft bounces in a row end it anyway.
 */
import type { BounceKind } from '../../../delivery/domain/engagement.js';
import { hardReasonOf, softReasonOf, type HardReason, type SoftReason } from './bounce-phrases.js';
import { wordsOf } from './reply-words.js';
import { enhancedCodeOf, isGeneric, repliesOf, type ServerReply } from './server-reply.js';

export type BounceReason = HardReason | SoftReason;

export interface BounceEvidence {
  /** The status of a report (RFC 3464), or a provider's code; null where none was told. */
  readonly status: string | null;
  /** What the server said; null where nothing was told. */
  readonly diagnostic: string | null;
}

export interface BounceVerdict {
  readonly kind: BounceKind;
  readonly reason: BounceReason;
  /** The code that counted, such as 5.1.1; null where none was told. */
  readonly code: string | null;
}

/** Codes that say by themselves that the address is dead (RFC 3463, RFC 7505, and Microsoft's 5.4.310). */
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
/** Codes that servers use for a dead mailbox and for much else: words decide. */
const OPEN_CODES = /^5\.(?:0\.\d+|1\.(?![789]$)\d+|[2347]\.0|4\.1|5\.\d+|7\.1|7\.13)$/;
/** Words such as `mailbox unavailable` do not outweigh a code about policy or the receiving system. */
const AGAINST_WEAK_WORDS = /^5\.[37]\./;
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
/** RFC 5321: exceeded storage allocation. Servers use it for dead mailboxes, too, which a full one may look like. */
const STORAGE_EXCEEDED = 552;
/** How Microsoft names a mailbox that is not there. */
const NOT_THERE = / recipient address(?:es)? rejected access denied /;
/** The command that was refused, as Exim, Postfix and Sendmail tell it: no recipient was named yet. */
const OF_SENDER = ' mail from ';

export function classifyBounce({ status, diagnostic }: BounceEvidence): BounceVerdict {
  const replies = repliesOf(diagnostic ?? '');
  const reply = replies.findLast(isTelling) ?? replies.at(-1) ?? { code: null, enhanced: null, words: ' ' };
  const told = (status === null ? undefined : enhancedCodeOf(status)) ?? null;
  const code =
    [reply.enhanced, told].find((one) => one !== null && !isGeneric(one)) ?? reply.enhanced ?? told;
  const verdict = (kind: BounceKind, reason: BounceReason): BounceVerdict => ({ kind, reason, code });
  const words =
    code === '5.4.1' ? reply.words.replace(NOT_THERE, ' recipient address rejected ') : reply.words;
  const isOfSender = wordsOf(diagnostic ?? '').includes(OF_SENDER);
  const softWords = softReasonOf(words) ?? (isOfSender ? 'sender' : undefined);
  const isForNow =
    [reply.code, replies.at(-1)?.code ?? null].some(saysForNow) || [code, told].some(isOfClass4);
  if (isForNow)
    return verdict(
      'soft',
      softWords ?? softReasonOfCode(code) ?? (saysFull(reply) ? 'mailbox_full' : 'temporary'),
    );
  if (softWords !== undefined) return verdict('soft', softWords);
  const hardCode = code === null ? undefined : HARD_CODES.get(code);
  const isOpen = code === null || OPEN_CODES.test(code);
  if (!isOpen && hardCode === undefined) return verdict('soft', softReasonOfCode(code) ?? 'unknown');
  const hardWords = hardReasonOf(words);
  if (hardWords && (hardWords.isStrong || !AGAINST_WEAK_WORDS.test(code ?? '')))
    return verdict(
      'hard',
      hardCode === 'mailbox_disabled' && !hardWords.isStrong ? hardCode : hardWords.reason,
    );
  return hardCode === undefined
    ? verdict('soft', softReasonOfCode(code) ?? 'unknown')
    : verdict('hard', hardCode);
}

/** Whether a server's refusal, such as `550 5.1.1 no such user`, says that the address is dead. */
export function saysNoMailbox(answer: string): boolean {
  return classifyBounce({ status: null, diagnostic: answer }).kind === 'hard';
}

function isTelling({ enhanced, words }: ServerReply): boolean {
  return (
    (enhanced !== null && !isGeneric(enhanced)) ||
    softReasonOf(words) !== undefined ||
    hardReasonOf(words) !== undefined
  );
}

function saysForNow(code: number | null): boolean {
  return code !== null && (code < 500 || code === STORAGE_EXCEEDED);
}

function saysFull({ code }: ServerReply): boolean {
  return code === STORAGE_EXCEEDED;
}

function isOfClass4(code: string | null): boolean {
  return code?.startsWith('4') ?? false;
}

function softReasonOfCode(code: string | null): SoftReason | undefined {
  return code === null ? undefined : SOFT_CODES.find(([pattern]) => pattern.test(code))?.[1];
}
