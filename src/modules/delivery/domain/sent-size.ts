/**
 * The size of a promotional message's HTML as it is sent: with tracked links, footer and tracking pixel, as delivery
 * adds them. Tokens of the same data have the same length under any key.
 */
import { LANGUAGES } from '../../preferences/domain/language.js';
import { openPixel, withTrackedLinks } from '../../tracking/domain/tracked-html.js';
import { trackingKey } from '../../tracking/domain/tracking-token.js';
import {
  NONCE_BYTES,
  signUnsubscribeToken,
  tokenKeys,
  UNSUBSCRIBE_PATH,
} from '../../unsubscribe/domain/unsubscribe-token.js';
import { complianceFooter } from './compliance.js';
import type { SentAdditions } from './sent-additions.js';

const KEY = Buffer.alloc(32);
const KEYS = { tracking: [trackingKey(KEY)], unsubscribe: [tokenKeys(KEY, KEY)] };
const ID = '00000000-0000-7000-8000-000000000000';
const MESSAGE = { scope: { workspaceId: ID, environment: 'live' }, messageId: ID } as const;
/** The unsubscribe link contains the address. No address is longer than this. */
const MAX_LENGTH_ADDRESS = 'a'.repeat(254);

/** Bytes of the HTML with its additions. Where that depends on the recipient, the maximum. */
export function sentBytes(html: string, additions: SentAdditions | null): number {
  if (!additions) return Buffer.byteLength(html);
  const { baseUrl, tracked } = additions;
  const signer = { baseUrl, keys: KEYS.tracking };
  const linked = tracked.clicks ? resultOf(withTrackedLinks(html, MESSAGE, signer)) : html;
  const pixel = tracked.opens ? openPixel(MESSAGE, signer) : '';
  return Buffer.byteLength(linked) + longestFooter(additions) + Buffer.byteLength(pixel);
}

function longestFooter({ baseUrl, company }: SentAdditions): number {
  const unsubscriber = { ...MESSAGE, contactId: ID, sentTo: MAX_LENGTH_ADDRESS };
  const token = signUnsubscribeToken(unsubscriber, KEYS.unsubscribe, Buffer.alloc(NONCE_BYTES));
  const url = `${baseUrl}${UNSUBSCRIBE_PATH}?token=${token}`;
  return Math.max(
    ...LANGUAGES.map((language) => Buffer.byteLength(complianceFooter(company, url, language).html)),
  );
}

function resultOf<Result>(steps: Generator<void, Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
