/**
 * Plans a chunk of an audience: which contacts get a message and when, which get none and why, and the instance's new
 * cursor.
 */
import type { AudienceMember, AudiencePage } from '../../segments/domain/audience.js';
import { addressKey } from '../../suppressions/domain/suppression.js';
import { rowBegan } from './ab-course.js';
import { placeInAudience, skippedReason, type SkippedReason } from './audience-place.js';
import { HOLDOUT } from './campaign-tally.js';
import type { CampaignInstance } from './instance.js';
import { localMoment, sendMoment } from './send-moment.js';

/** What is known about the members besides their own records. */
export interface KnownOfMembers {
  /** Ids of contacts that have opted out, whatever their records say. */
  readonly refused: ReadonlySet<string>;
  /** Ids of contacts whose address is on the suppression list. */
  readonly listed: Pick<ReadonlyMap<string, unknown>, 'has'>;
  /** Ids of members whose address belongs to a contact of an earlier chunk; none if absent. */
  readonly repeated?: ReadonlySet<string>;
}

export interface NewRecipient {
  readonly contactId: string;
  /** Why it gets no message; null if it gets one. */
  readonly skipped: SkippedReason | null;
  readonly place: number | null;
  readonly localAt: Date | null;
  /** Null if it gets none, or the winner of a test that is not decided. */
  readonly variant: number | null;
  readonly isRest: boolean;
  readonly emailLogId: string | null;
}

/** A message to queue. */
export interface StretchMessage {
  readonly id: string;
  readonly contactId: string;
  readonly at: Date;
}

/** The instance's cursor and counters after the chunk is stored. */
export type TakenSoFar = Pick<
  CampaignInstance,
  'mailed' | 'rest' | 'audience' | 'skipped' | 'takenTo' | 'isTaken'
>;

export interface PlannedStretch {
  readonly recipients: readonly NewRecipient[];
  /** By the index of the variant. */
  readonly messages: ReadonlyMap<number, readonly StretchMessage[]>;
  /** For a test: the size of each group. */
  readonly groups: ReadonlyMap<number, number>;
  readonly taken: TakenSoFar;
}

/**
 * Plans the chunk that follows the instance's cursor.
 * @param newId creates the id of a message.
 */
export function planStretch(
  instance: CampaignInstance,
  { members, last }: AudiencePage,
  known: KnownOfMembers,
  newId: () => string,
): PlannedStretch {
  const messages = new Map<number, StretchMessage[]>();
  const groups = new Map<number, number>();
  const began = rowBegan(instance, false);
  const addresses = new Set<string>();
  let { mailed, rest, skipped } = instance;
  // Copies the fields of members one by one: object spread takes twenty times as long, and audiences are large.
  const recipients = members.map((member): NewRecipient => {
    const contactId = member.id;
    const seat = seatOf(instance, member, known, addresses);
    if (typeof seat === 'string') {
      skipped++;
      if (seat === 'holdout') add(groups, HOLDOUT);
      return {
        contactId,
        skipped: seat,
        place: null,
        localAt: null,
        variant: null,
        isRest: false,
        emailLogId: null,
      };
    }
    const isRest = seat.kind === 'rest';
    // Two rows, one after the other: the contacts of the test, and the contacts that wait for its result.
    const place = isRest ? rest : mailed - rest;
    mailed++;
    if (isRest) rest++;
    const moment = localMoment(instance.timing, member.timezone) ?? null;
    const localAt = moment === null ? null : new Date(moment);
    if (seat.kind === 'rest')
      return { contactId, skipped: null, place, localAt, variant: null, isRest, emailLogId: null };
    const { variant } = seat;
    const emailLogId = newId();
    add(groups, variant);
    const at = sendMoment(instance.timing, { place, localAt: moment }, began);
    const message = { id: emailLogId, contactId, at };
    const others = messages.get(variant);
    if (others) others.push(message);
    else messages.set(variant, [message]);
    return { contactId, skipped: null, place, localAt, variant, isRest, emailLogId };
  });
  const audience = instance.audience + members.length;
  const place = { takenTo: last ?? instance.takenTo, isTaken: last === null };
  return { recipients, messages, groups, taken: { mailed, rest, audience, skipped, ...place } };
}

type MailedSeat = Exclude<ReturnType<typeof placeInAudience>, { readonly kind: 'holdout' }>;

/**
 * Returns a member's group, or why it gets no message. Of several members with one address, the first that may get mail
 * takes the place, even if it is held out.
 * @param addresses the addresses of the chunk so far.
 */
function seatOf(
  instance: CampaignInstance,
  member: AudienceMember,
  { refused, listed, repeated }: KnownOfMembers,
  addresses: Set<string>,
): MailedSeat | SkippedReason {
  const { id } = member;
  const reason = skippedReason(member, { hasRefused: refused.has(id), isListed: listed.has(id) });
  if (reason !== null) return reason;
  const address = addressKey(member.email ?? '') ?? '';
  if (repeated?.has(id) || addresses.has(address)) return 'duplicate_address';
  addresses.add(address);
  const seat = placeInAudience(instance, id);
  return seat.kind === 'holdout' ? 'holdout' : seat;
}

function add(groups: Map<number, number>, group: number): void {
  groups.set(group, (groups.get(group) ?? 0) + 1);
}
