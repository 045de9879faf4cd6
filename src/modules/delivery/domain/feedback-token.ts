/**
 * What says in mail that comes back which message it is about, and that it was ours: the id of the message and a keyed
 * hash of it. Short and without regard to letter case, since it stands in the local part of a return path, of which servers
 * take 64 characters and some lose the case (RFC 5321, 4.5.3.1.1).
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { isUuid } from '../../../kernel/tenant-scope.js';

/** The field of outgoing mail that bears the token: bounces and complaints bring it back. */
export const FEEDBACK_FIELD = 'X-Waypost-Feedback';

/** Before the token in the local part of a return path. */
const PREFIX = 'b-';
const ID_BYTES = 16;
/** 80 bits: whoever guesses gets no answer, and one address suppressed at most. */
const PROOF_BYTES = 10;
const DIGITS = 'abcdefghijklmnopqrstuvwxyz234567';
const TOKEN = /^[a-z2-7]{42}$/;

/** @param key the one that signs. */
export function signFeedbackToken(logId: string, key: Buffer): string {
  const id = Buffer.from(logId.replaceAll('-', ''), 'hex');
  return base32(Buffer.concat([id, proofOf(id, key)]));
}

/** The message of a token; undefined where no key has signed it. */
export function readFeedbackToken(token: string, keys: readonly Buffer[]): string | undefined {
  const text = token.trim().toLowerCase();
  if (!TOKEN.test(text)) return undefined;
  const bytes = fromBase32(text);
  const [id, proof] = [bytes.subarray(0, ID_BYTES), bytes.subarray(ID_BYTES, ID_BYTES + PROOF_BYTES)];
  // Of a character's five bits those behind the last byte must be none: one token has one spelling.
  if (base32(Buffer.concat([id, proof])) !== text) return undefined;
  if (!keys.some((key) => timingSafeEqual(proof, proofOf(id, key)))) return undefined;
  const digits = id.toString('hex');
  const logId = [
    digits.slice(0, 8),
    digits.slice(8, 12),
    digits.slice(12, 16),
    digits.slice(16, 20),
    digits.slice(20),
  ].join('-');
  return isUuid(logId) ? logId : undefined;
}

/** The address that mail about a message comes back to. */
export function returnPathOf(token: string, domain: string): string {
  return `${PREFIX}${token}@${domain}`;
}

/** The token of a return path; undefined where the address is none. */
export function tokenOfReturnPath(address: string): string | undefined {
  const text = address.trim().replace(/^<|>$/g, '');
  const at = text.lastIndexOf('@');
  return text.slice(0, PREFIX.length).toLowerCase() === PREFIX && at > 0
    ? text.slice(PREFIX.length, at)
    : undefined;
}

function proofOf(id: Buffer, key: Buffer): Buffer {
  return createHmac('sha256', key).update(id).digest().subarray(0, PROOF_BYTES);
}

/** RFC 4648, in small letters and without padding. */
function base32(bytes: Buffer): string {
  let text = '';
  let [bits, held] = [0, 0];
  for (const byte of bytes) {
    bits = ((bits << 8) | byte) & 0xfff;
    for (held += 8; held >= 5; held -= 5) text += DIGITS.charAt((bits >> (held - 5)) & 31);
  }
  return held > 0 ? text + DIGITS.charAt((bits << (5 - held)) & 31) : text;
}

function fromBase32(text: string): Buffer {
  const bytes = Buffer.alloc(Math.floor((text.length * 5) / 8));
  let [bits, held, at] = [0, 0, 0];
  for (const digit of text) {
    bits = ((bits << 5) | DIGITS.indexOf(digit)) & 0xfff;
    held += 5;
    if (held < 8) continue;
    held -= 8;
    bytes[at++] = (bits >> held) & 255;
  }
  return bytes;
}
