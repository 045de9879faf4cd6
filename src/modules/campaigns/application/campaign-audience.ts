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
import type { AudienceMember, AudiencePage } from '../../segments/domain/audience.js';
import { Suppressions } from '../../suppressions/application/suppressions.js';
import { placeInAudience, skippedReason } from '../domain/audience-place.js';
import type { CampaignInstance, FrozenVariant } from '../domain/instance.js';
import { localMoment, sendMoment } from '../domain/send-moment.js';
import {
  CampaignRecipientRepository,
  type NewRecipient,
} from '../persistence/campaign-recipient.repository.js';

/** What campaigns ask of the gates, as any promotional message: rest is kept, and the cap counts them. */
const GATES = { ignoreDnd: false, ignoreFrequencyCapping: false, countForFrequencyCapping: true } as const;

@Injectable()
export class CampaignAudience {
  constructor(
    private readonly recipients: CampaignRecipientRepository,
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
    let { mailed } = instance;
    const recipients = members.map((member): NewRecipient => {
      const { id: contactId } = member;
      const skipped = skippedReason(member, {
        hasRefused: refused.has(contactId),
        isListed: suppressed.has(contactId),
      });
      if (skipped !== null) return noMessage(contactId, skipped);
      const seat = placeInAudience(instance, contactId);
      if (seat.kind === 'holdout') return noMessage(contactId, 'holdout');
      const place = mailed++;
      const localAt = localMoment(instance.timing, member.timezone) ?? null;
      const timed = { contactId, skipped: null, place, localAt: localAt === null ? null : new Date(localAt) };
      if (seat.kind === 'rest') return { ...timed, variant: null, emailLogId: null };
      const began = instance.startedAt.getTime() + instance.delayedMs;
      const at = sendMoment(instance.timing, { place, localAt }, began);
      const recipient = { id: uuidv7(now.getTime()), contactId, at };
      const others = queued.get(seat.variant);
      if (others) others.push(recipient);
      else queued.set(seat.variant, [recipient]);
      return { ...timed, variant: seat.variant, emailLogId: recipient.id };
    });
    for (const [variant, some] of queued)
      await this.messages.put(tx, scope, messageOf(instance, variant), some, now);
    await this.recipients.insert(tx, scope, instance.id, recipients);
    const skippedNow = members.length - (mailed - instance.mailed);
    return {
      ...instance,
      mailed,
      audience: instance.audience + members.length,
      skipped: instance.skipped + skippedNow,
      takenTo: last ?? instance.takenTo,
      isTaken: last === null,
    };
  }
}

function noMessage(contactId: string, skipped: string): NewRecipient {
  return { contactId, skipped, place: null, localAt: null, variant: null, emailLogId: null };
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

/** Contacts of a stretch: see the figures in docs/benchmarks. */
export const STRETCH = 5_000;

export type { AudienceMember };
