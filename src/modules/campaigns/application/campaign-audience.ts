/**
 * Takes an instance's audience in chunks. Each contact of the segment becomes a recipient with a message, or with the
 * reason why it gets none, in the same transaction that stores the cursor. After a crash, work resumes at the cursor;
 * the database's unique key prevents duplicates.
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

/** Contacts per chunk: see the measurements in docs/benchmarks. */
export const STRETCH = 5_000;

/**
 * Campaign messages pass the same checks as any promotional message: they respect quiet hours and count towards the
 * frequency cap.
 */
const GATES = { ignoreDnd: false, ignoreFrequencyCapping: false, countForFrequencyCapping: true } as const;

/** Addresses deleted in one statement. */
const FORGOTTEN_AT_ONCE = 50_000;
/** Hexadecimal digits kept of a keyed digest: as many as a UUID has. */
const HASH_DIGITS = 32;

/** A planned chunk, with the hashes of the addresses that occur in it for the first time. */
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
   * Plans the chunk that follows the instance's cursor: which contacts get a message, and why the others get none.
   * @param unstored hashes of the addresses of the previous chunk, which is not stored yet.
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
   * Hashes the address with every key, the first key first. Addresses are stored only while an audience is taken, so a
   * key can be removed afterwards.
   */
  private hashesOf(scope: TenantScope, { email }: AudienceMember): string[] {
    return this.digests.toFind(scope, email ?? '').map((digest) => asUuid(digest.slice(0, HASH_DIGITS)));
  }

  /** Returns the members whose address belongs to a contact of an earlier chunk. */
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

  /** Stores a planned chunk of this instance. The instance is locked and unchanged since the chunk was planned. */
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
   * Deletes addresses of an audience that has been taken, one batch per call.
   * @returns whether there were any.
   */
  async forgetAddresses(tx: Transaction, scope: TenantScope, { id }: CampaignInstance): Promise<boolean> {
    return (await this.addresses.forget(tx, scope, id, FORGOTTEN_AT_ONCE)) > 0;
  }

  /**
   * Sends the winner of the instance's test to a chunk of the contacts that wait for it, each with its own send time.
   * @returns the instance; undefined when no contact waits any longer. Its campaign is locked.
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

/**
 * Returns what all messages of a variant have in common. @throws TypeError for a variant that the instance does not
 * have.
 */
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
