/** What a bounce says of the address, by enhanced status codes (RFC 3463) and by the words of providers. */
import type { Bounce, BounceKind } from '../../delivery/domain/engagement.js';

/**
 * Codes of class 5 that say something of the message, the sender or the way, and not that the address is dead. All other
 * codes of class 5 are hard, those of class 4 soft.
 */
const SOFT_FIVES: readonly RegExp[] = [
  // The sender's address or system; ambiguous addresses.
  /^5\.1\.[4789]$/,
  // A full mailbox, a message too long for it, trouble with a list.
  /^5\.2\.[234]$/,
  // The receiving system: full, not taking messages, a message too big for it.
  /^5\.3\.\d+$/,
  // The way there: no answer, a loop, congestion, out of time. 5.4.4 says that the domain leads nowhere.
  /^5\.4\.(?!4$)\d+$/,
  // The protocol and the content.
  /^5\.[56]\.\d+$/,
  // Policy: blocked for who sent it or for what it says.
  /^5\.7\.\d+$/,
];
const CODE = /(?<![\d.])([245])\.(\d{1,3})\.(\d{1,3})(?![\d.])/;
const REPLY = /(?<!\d)([45])\d\d(?!\d)/;

const HARD_WORDS = new Set(['hard', 'permanent', 'permanent_failure', 'hardbounce']);
const SOFT_WORDS = new Set([
  'soft',
  'transient',
  'temporary',
  'undetermined',
  'block',
  'blocked',
  'softbounce',
  'mailboxfull',
  'messagetoolarge',
  'contentrejected',
  'attachmentrejected',
]);

/** The first enhanced status code of a text, of a failure; undefined where there is none. */
export function enhancedCodeOf(text: string): string | undefined {
  const [code] = CODE.exec(text) ?? [];
  return code !== undefined && !code.startsWith('2') ? code : undefined;
}

/** What an enhanced status code of a failure says of the address. */
export function kindOfCode(code: string): BounceKind {
  return code.startsWith('5') && !SOFT_FIVES.some((pattern) => pattern.test(code)) ? 'hard' : 'soft';
}

/** Codes that name the mailbox or its domain; what else a server refuses for good may be the message's own. */
const OF_THE_MAILBOX = /^5\.(?:1\.\d+|2\.1|4\.4)$/;

/** Whether a server's refusal, such as `550 5.1.1 no such user`, says that no mail gets to the address, whatever it is. */
export function saysNoMailbox(answer: string): boolean {
  const code = enhancedCodeOf(answer);
  return code !== undefined && OF_THE_MAILBOX.test(code) && kindOfCode(code) === 'hard';
}

/** What is told of a bounce: words of a provider, a code, what the server said; whatever there is. */
export interface ToldBounce {
  readonly words: readonly string[];
  readonly code: string | null;
  readonly detail: string | null;
}

/**
 * A provider's own word for the kind goes first, since it knows the server; then the code, then the reply of the server.
 * Where nothing is told a bounce is hard: providers report what may still arrive as a delay.
 */
export function bounceOf({ words, code, detail }: ToldBounce): Bounce {
  const known = words.map((word) => word.toLowerCase().replaceAll(/[\s-]/g, ''));
  const found = (code === null ? undefined : enhancedCodeOf(code)) ?? enhancedCodeOf(detail ?? '');
  const told = { code: found ?? null, detail };
  if (known.some((word) => SOFT_WORDS.has(word))) return { kind: 'soft', ...told };
  if (known.some((word) => HARD_WORDS.has(word))) return { kind: 'hard', ...told };
  if (found !== undefined) return { kind: kindOfCode(found), ...told };
  const [, reply] = REPLY.exec(detail ?? '') ?? [];
  return { kind: reply === '4' ? 'soft' : 'hard', ...told };
}
