/**
 * Limits for invitation mails, so that members cannot use them to harass people in the product's name: a maximum per
 * workspace and day, a lower one per address, and a minimum interval per address.
 */
import { DAY, MINUTE } from '../../../kernel/duration.js';

/** Maximum invitation mails of a workspace in any 24 hours. */
export const MAX_INVITATIONS_PER_DAY = 100;
/** Maximum to one address in any 24 hours. */
export const MAX_INVITATIONS_PER_ADDRESS = 5;
/** Milliseconds between two mails to one address. */
export const MIN_INVITATION_INTERVAL_MS = 10 * MINUTE;
/** Milliseconds of the past that count. */
export const INVITATION_WINDOW_MS = DAY;

export interface SentInvitation {
  readonly to: string;
  /** When it was requested or, if it had to wait, when it was scheduled. */
  readonly at: Date;
}

export type InvitationLimitResult =
  /** `from`: the earliest time at which it may go. */
  | { readonly kind: 'granted'; readonly from: Date }
  /** `until`: when the limit allows another one. */
  | { readonly kind: 'refused'; readonly until: Date; readonly reason: 'workspace' | 'address' };

/**
 * Whether one more invitation may be sent to an address, and when.
 * @param recent invitations of the last INVITATION_WINDOW_MS, in any order.
 */
export function checkInvitationLimits(
  email: string,
  recent: readonly SentInvitation[],
  now: Date,
): InvitationLimitResult {
  const sentTimes = recent.map(({ at }) => at.getTime()).sort((a, b) => a - b);
  const sentToAddress = recent
    .flatMap(({ to, at }) => (keyOf(to) === keyOf(email) ? [at.getTime()] : []))
    .sort((a, b) => a - b);
  const nthLatest = (times: readonly number[], n: number): number | undefined => times.at(-n);
  const blockingForWorkspace = nthLatest(sentTimes, MAX_INVITATIONS_PER_DAY);
  if (blockingForWorkspace !== undefined)
    return {
      kind: 'refused',
      until: new Date(blockingForWorkspace + INVITATION_WINDOW_MS),
      reason: 'workspace',
    };
  const blockingForAddress = nthLatest(sentToAddress, MAX_INVITATIONS_PER_ADDRESS);
  if (blockingForAddress !== undefined)
    return { kind: 'refused', until: new Date(blockingForAddress + INVITATION_WINDOW_MS), reason: 'address' };
  const last = sentToAddress.at(-1);
  return {
    kind: 'granted',
    from: last === undefined ? now : new Date(Math.max(now.getTime(), last + MIN_INVITATION_INTERVAL_MS)),
  };
}

function keyOf(email: string): string {
  return email.trim().toLowerCase();
}
