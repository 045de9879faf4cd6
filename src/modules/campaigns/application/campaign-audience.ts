/**
 * Takes an instance's audience, a stretch at a time: whom the segment finds becomes a recipient, and has a message or the reason
 * why not, in the transaction that notes how far it came. A kill between two stretches goes on where it was, and nobody is
 * there twice, since the database keeps each contact of an instance once.
 */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { uuidv7 } from '../../../kernel/uuid.js';
import type { Transaction } from '../../../platform/database/database.js';
import { Refusals } from '../../contacts/application/refusals.js';
import { CampaignMessages } from '../../delivery/application/campaign-messages.js';
import type { Recipient, SharedMessage } from '../../delivery/domain/email-log.js';
import type { AudiencePage } from '../../segments/domain/audience.js';
import { Suppressions } from '../../suppressions/application/suppressions.js';
import { placeInAudience, skippedReason } from '../domain/audience-place.js';
import { restBegins, rowBegan } from '../domain/ab-course.js';
import { HOLDOUT } from '../domain/campaign-tally.js';
import type { CampaignInstance, FrozenVariant } from '../domain/instance.js';
import { localMoment, sendMoment } from '../domain/send-moment.js';
import {
  CampaignRecipientRepository,
  type NewRecipient,
} from '../persistence/campaign-recipient.repository.js';
import { CampaignTallyRepository } from '../persistence/campaign-tally.repository.js';

/** Contacts of a stretch: see the figures in docs/benchmarks. */
export const STRETCH = 2_000;

/** What campaigns ask of the gates, as any promotional message: rest is kept, and the cap counts them. */
const GATES = { ignoreDnd: false, ignoreFrequencyCapping: false, countForFrequencyCapping: true } as const;

@Injectable()
export class CampaignAudience {
  constructor(
    private readonly recipients: CampaignRecipientRepository,
    private readonly tallies: CampaignTallyRepository,
    private readonly messages: CampaignMessages,
    private readonly refusals: Refusals,
    private readonly suppressions: Suppressions,
  ) {}

  /** The instance with a further stretch taken; it is locked, and the stretch begins where it has come to. */
  async take(
    tx: Transaction,
    scope: TenantScope,
    instance: CampaignInstance,
    { members, last }: AudiencePage,
    now: Date,
  ): Promise<CampaignInstance> {
    const refused = await this.refusals.among(
      tx,
      scope,
      members.filter(({ subscriptionStatus }) => subscriptionStatus === 'subscribed'),
    );
    const suppressed = await this.suppressions.among(tx, scope, members);
    const queued = new Map<number, Recipient[]>();
    let { mailed, rest } = instance;
    const groups = new Map<number, number>();
    const count = (group: number): void => void groups.set(group, (groups.get(group) ?? 0) + 1);
    const recipients = members.map((member): NewRecipient => {
      const { id: contactId } = member;
      const skipped = skippedReason(member, {
        hasRefused: refused.has(contactId),
        isListed: suppressed.has(contactId),
      });
      if (skipped !== null) return noMessage(contactId, skipped);
      const seat = placeInAudience(instance, contactId);
      if (seat.kind === 'holdout') {
        count(HOLDOUT);
        return noMessage(contactId, 'holdout');
      }
      const isRest = seat.kind === 'rest';
      // Two rows, one behind the other: those who are tested, and those who wait for what comes of it.
      const place = isRest ? rest : mailed - rest;
      mailed++;
      if (isRest) rest++;
      const localAt = localMoment(instance.timing, member.timezone) ?? null;
      const timed = { place, localAt: localAt === null ? null : new Date(localAt), isRest };
      if (seat.kind === 'rest')
        return { contactId, skipped: null, ...timed, variant: null, emailLogId: null };
      count(seat.variant);
      const at = sendMoment(instance.timing, { place, localAt }, rowBegan(instance, false));
      const recipient = { id: uuidv7(now.getTime()), contactId, at };
      const others = queued.get(seat.variant);
      if (others) others.push(recipient);
      else queued.set(seat.variant, [recipient]);
      return { contactId, skipped: null, ...timed, variant: seat.variant, emailLogId: recipient.id };
    });
    for (const [variant, some] of queued)
      await this.messages.put(tx, scope, messageOf(instance, variant), some, now);
    await this.recipients.insert(tx, scope, instance.id, recipients);
    if (instance.content.abTest) await this.tallies.grow(tx, scope, instance.id, groups);
    const skippedNow = members.length - (mailed - instance.mailed);
    return {
      ...instance,
      mailed,
      rest,
      audience: instance.audience + members.length,
      skipped: instance.skipped + skippedNow,
      takenTo: last ?? instance.takenTo,
      isTaken: last === null,
    };
  }

  /**
   * Gives a stretch of those who wait for it the winner of the instance's test, each at its turn.
   * @returns the instance; undefined where nobody waits any more. Its campaign is locked.
   */
  async giveWinner(
    tx: Transaction,
    scope: TenantScope,
    instance: CampaignInstance,
    now: Date,
  ): Promise<CampaignInstance | undefined> {
    const { id: instanceId, timing, winner } = instance;
    if (winner === null) throw new TypeError(`The test of the instance ${instanceId} is not decided.`);
    const begun = { ...instance, restFrom: instance.restFrom ?? restBegins(instance, now) };
    const began = rowBegan(begun, true);
    const rest = await this.recipients.rest(tx, scope, instanceId, STRETCH);
    if (rest.length === 0) return undefined;
    const queued = rest.map(({ contactId, place, localAt }): Recipient => {
      const at = sendMoment(timing, { place, localAt: localAt?.getTime() ?? null }, began);
      return { id: uuidv7(now.getTime()), contactId, at };
    });
    await this.messages.put(tx, scope, messageOf(instance, winner), queued, now);
    await this.recipients.giveWinner(tx, scope, { instanceId, winner }, queued);
    return begun;
  }
}

function noMessage(contactId: string, skipped: string): NewRecipient {
  return { contactId, skipped, place: null, localAt: null, variant: null, isRest: false, emailLogId: null };
}

/** What all messages of a variant have in common. @throws TypeError for a variant that the instance has not. */
function messageOf({ id, campaignId, content }: CampaignInstance, index: number): SharedMessage {
  const variant: FrozenVariant | undefined = content.variants[index];
  if (!variant) throw new TypeError(`The instance ${id} has no variant ${index}.`);
  const { subject, sender, frozenTemplateId, templateSlug } = variant;
  return {
    ...{ sourceId: campaignId, origin: 'campaign', originId: id, originStep: 0 },
    templateSlug,
    contentType: 'promotional',
    options: { ...(subject === null ? {} : { subject }), emailSendSettings: GATES, sender, frozenTemplateId },
  };
}
