/**
 * Limits for invitation mails, so that members cannot use them to harass people in the product's name: a maximum per
 * workspace and day, a lower one per address, and a minimum interval per address.
 */
import { DAY, MINUTE } from '../../../kernel/duration.js';

/** Maximum invitation mails of a workspace in any 24 hours. */
export const MOST_A_DAY = 100;
/** Maximum to one address in any 24 hours. */
export const MOST_TO_ONE = 5;
/** Milliseconds between two mails to one address. */
export const PAUSE = 10 * MINUTE;
/** Milliseconds of the past that count. */
export const COUNTED_PAST = DAY;

export interface SentInvitation {
  readonly to: string;
  /** When it was requested or, if it had to wait, when it was scheduled. */
  readonly at: Date;
}

export type InvitationMailAnswer =
  /** `from`: the earliest time at which it may go. */
  | { readonly kind: 'granted'; readonly from: Date }
  /** `until`: when the limit allows another one. */
  | { readonly kind: 'refused'; readonly until: Date; readonly reason: 'workspace' | 'address' };

/**
 * Whether one more invitation may be sent to an address, and when.
 * @param past invitations of the last COUNTED_PAST, in any order.
 */
export function answerTo(email: string, past: readonly SentInvitation[], now: Date): InvitationMailAnswer {
  const moments = past.map(({ at }) => at.getTime()).sort((a, b) => a - b);
  const toOne = past
    .flatMap(({ to, at }) => (keyOf(to) === keyOf(email) ? [at.getTime()] : []))
    .sort((a, b) => a - b);
  const full = (times: readonly number[], most: number): number | undefined => times.at(-most);
  const ofWorkspace = full(moments, MOST_A_DAY);
  if (ofWorkspace !== undefined)
    return { kind: 'refused', until: new Date(ofWorkspace + COUNTED_PAST), reason: 'workspace' };
  const ofAddress = full(toOne, MOST_TO_ONE);
  if (ofAddress !== undefined)
    return { kind: 'refused', until: new Date(ofAddress + COUNTED_PAST), reason: 'address' };
  const last = toOne.at(-1);
  return {
    kind: 'granted',
    from: last === undefined ? now : new Date(Math.max(now.getTime(), last + PAUSE)),
  };
}

function keyOf(email: string): string {
  return email.trim().toLowerCase();
}
