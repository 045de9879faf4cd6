/**
 * Takes an instance's audience, a stretch at a time: whom the segment finds becomes a recipient, and has a message or the reason
 * why not, in the transaction that notes how far it came. A kill between two stretches goes on where it was, and nobody is
 * there twice, since the database keeps each contact of an instance once.
 */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { uuidv7 } from '../../../kernel/uuid.js';
import type { Transaction } from '../../../platform/database/database.js';
import { AddressDigests } from '../../contacts/application/address-digests.js';
import { Refusals } from '../../contacts/application/refusals.js';
import { CampaignMessages } from '../../delivery/application/campaign-messages.js';
import type { Recipient, SharedMessage } from '../../delivery/domain/email-log.js';
import type { AudienceMember, AudiencePage } from '../../segments/domain/audience.js';
import { Suppressions } from '../../suppressions/application/suppressions.js';
import { planStretch, type PlannedStretch } from '../domain/audience-stretch.js';
import { restBegins, rowBegan } from '../domain/ab-course.js';
import type { CampaignInstance, FrozenVariant } from '../domain/instance.js';
import { sendMoment } from '../domain/send-moment.js';
import { CampaignAddressRepository } from '../persistence/campaign-address.repository.js';
import { CampaignRecipientRepository } from '../persistence/campaign-recipient.repository.js';
import { CampaignTallyRepository } from '../persistence/campaign-tally.repository.js';

/** Contacts of a stretch: see the figures in docs/benchmarks. */
export const STRETCH = 5_000;

/** What campaigns ask of the gates, as any promotional message: rest is kept, and the cap counts them. */
const GATES = { ignoreDnd: false, ignoreFrequencyCapping: false, countForFrequencyCapping: true } as const;

/** Addresses that are forgotten at once. */
const FORGOTTEN_AT_ONCE = 50_000;
/** Of a keyed digest in hexadecimal digits, as many as a UUID has. */
const HASH_DIGITS = 32;

/** A stretch that was planned, with the hashes of the addresses that nobody had before. */
export interface AddressedStretch extends PlannedStretch {
  readonly addresses: readonly string[];
}

@Injectable()
export class CampaignAudience {
  constructor(
    private readonly addresses: CampaignAddressRepository,
    private readonly digests: AddressDigests,
    private readonly recipients: CampaignRecipientRepository,
    private readonly tallies: CampaignTallyRepository,
    private readonly messages: CampaignMessages,
    private readonly refusals: Refusals,
    private readonly suppressions: Suppressions,
  ) {}

  /**
   * Plans the stretch that follows where an instance has come to: who gets a message, and why the others get none.
   * @param unstored hashes of the addresses of the stretch before, which is not stored yet.
   */
  async plan(
    tx: Transaction,
    scope: TenantScope,
    instance: CampaignInstance,
    { page, unstored }: { readonly page: AudiencePage; readonly unstored: readonly string[] },
    now: Date,
  ): Promise<AddressedStretch> {
    const { members } = page;
    const open = members.filter(({ subscriptionStatus }) => subscriptionStatus === 'subscribed');
    const refused = await this.refusals.among(tx, scope, open);
    const listed = await this.suppressions.among(tx, scope, members);
    const hashes = new Map(members.map((member) => [member.id, this.hashesOf(scope, member)]));
    const repeated = await this.repeated(tx, scope, instance, hashes, unstored);
    const known = { refused, listed, repeated };
    const planned = planStretch(instance, page, known, () => uuidv7(now.getTime()));
    const addresses = planned.recipients.flatMap(({ contactId, skipped }) =>
      skipped === null || skipped === 'holdout' ? (hashes.get(contactId)?.slice(0, 1) ?? []) : [],
    );
    return { ...planned, addresses };
  }

  /**
   * Under each key that there is, the first one's first: addresses are kept only while an audience is taken, so that a key may
   * go then.
   */
  private hashesOf(scope: TenantScope, { email }: AudienceMember): string[] {
    return this.digests.toFind(scope, email ?? '').map((digest) => asUuid(digest.slice(0, HASH_DIGITS)));
  }

  /** Those whose address a contact of an earlier stretch has. */
  private async repeated(
    tx: Transaction,
    scope: TenantScope,
    { id, takenTo }: CampaignInstance,
    hashes: ReadonlyMap<string, readonly string[]>,
    unstored: readonly string[],
  ): Promise<Set<string>> {
    if (takenTo === null) return new Set();
    const taken = await this.addresses.among(tx, scope, id, [...hashes.values()].flat());
    for (const hash of unstored) taken.add(hash);
    return new Set([...hashes].flatMap(([who, some]) => (some.some((hash) => taken.has(hash)) ? [who] : [])));
  }

  /** Stores a stretch that was planned of this instance, which is locked and as it was then. */
  async take(
    tx: Transaction,
    scope: TenantScope,
    instance: CampaignInstance,
    { messages, recipients, groups, addresses, taken }: AddressedStretch,
    now: Date,
  ): Promise<void> {
    const isAlone = instance.takenTo === null && taken.isTaken;
    if (!isAlone) await this.addresses.insert(tx, scope, instance.id, addresses);
    for (const [variant, some] of messages)
      await this.messages.put(tx, scope, messageOf(instance, variant), some, now);
    await this.recipients.insert(tx, scope, instance.id, recipients);
    if (instance.content.abTest) await this.tallies.grow(tx, scope, instance.id, groups);
  }

  /**
   * Forgets addresses of an audience that is taken, a part at a time.
   * @returns whether there were any.
   */
  async forgetAddresses(tx: Transaction, scope: TenantScope, { id }: CampaignInstance): Promise<boolean> {
    return (await this.addresses.forget(tx, scope, id, FORGOTTEN_AT_ONCE)) > 0;
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

function asUuid(digits: string): string {
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
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
