/**
 * A token in outgoing mail that identifies the message when a bounce or complaint comes back, and proves that it was
 * ours: the id of the message and a keyed hash of it. It is short and case-insensitive, because it is in the local part
 * of a return path, which servers limit to 64 characters and sometimes change in case (RFC 5321, 4.5.3.1.1).
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { isUuid } from '../../../kernel/tenant-scope.js';

/** The header field with the token. Bounces and complaints return it. */
export const FEEDBACK_FIELD = 'X-Waypost-Feedback';

/** Precedes the token in the local part of a return path. */
const PREFIX = 'b-';
const ID_BYTES = 16;
/** 80 bits. A guess gets no answer, and could suppress at most one address. */
const PROOF_BYTES = 10;
const DIGITS = 'abcdefghijklmnopqrstuvwxyz234567';
const TOKEN = /^[a-z2-7]{42}$/;

/** @param key the signing key. */
export function signFeedbackToken(logId: string, key: Buffer): string {
  const id = Buffer.from(logId.replaceAll('-', ''), 'hex');
  return base32(Buffer.concat([id, proofOf(id, key)]));
}

/** The message of a token; undefined if no key has signed it. */
export function readFeedbackToken(token: string, keys: readonly Buffer[]): string | undefined {
  const text = token.trim().toLowerCase();
  if (!TOKEN.test(text)) return undefined;
  const bytes = fromBase32(text);
  const [id, proof] = [bytes.subarray(0, ID_BYTES), bytes.subarray(ID_BYTES, ID_BYTES + PROOF_BYTES)];
  // The bits after the last byte in the last character must be zero, so that a token has only one spelling.
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

/** The address to which mail about a message returns. */
export function returnPathOf(token: string, domain: string): string {
  return `${PREFIX}${token}@${domain}`;
}

/** The token of a return path; undefined if the address is not a return path. */
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

/** RFC 4648, in lower case and without padding. */
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
