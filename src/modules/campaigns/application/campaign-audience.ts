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
import { OptOuts } from '../../contacts/application/opt-outs.js';
import { CampaignMessages } from '../../delivery/application/campaign-messages.js';
import type { Recipient, SharedMessage } from '../../delivery/domain/email-log.js';
import type { AudienceMember, AudiencePage } from '../../segments/domain/audience.js';
import { Suppressions } from '../../suppressions/application/suppressions.js';
import { planChunk, type PlannedChunk } from '../domain/audience-chunk.js';
import { restStartsAt, sendStartMs } from '../domain/ab-phases.js';
import type { CampaignInstance, FrozenVariant } from '../domain/instance.js';
import { sendMoment } from '../domain/send-moment.js';
import { CampaignAddressRepository } from '../persistence/campaign-address.repository.js';
import { CampaignRecipientRepository } from '../persistence/campaign-recipient.repository.js';
import { CampaignCounterRepository } from '../persistence/campaign-counter.repository.js';

/** Contacts per chunk: see the measurements in docs/benchmarks. */
export const CHUNK_CONTACTS = 5_000;

/**
 * Campaign messages pass the same checks as any promotional message: they respect quiet hours and count towards the
 * frequency cap.
 */
const SEND_SETTINGS = {
  ignoreDnd: false,
  ignoreFrequencyCapping: false,
  countForFrequencyCapping: true,
} as const;

/** Addresses deleted in one statement. */
const DELETE_BATCH_ADDRESSES = 50_000;
/** Hexadecimal digits kept of a keyed digest: as many as a UUID has. */
const HASH_DIGITS = 32;

/** A planned chunk, with the hashes of the addresses that occur in it for the first time. */
export interface AddressedChunk extends PlannedChunk {
  readonly addresses: readonly string[];
}

@Injectable()
export class CampaignAudience {
  constructor(
    private readonly addresses: CampaignAddressRepository,
    private readonly digests: AddressDigests,
    private readonly recipients: CampaignRecipientRepository,
    private readonly counters: CampaignCounterRepository,
    private readonly messages: CampaignMessages,
    private readonly optOuts: OptOuts,
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
  ): Promise<AddressedChunk> {
    const { members } = page;
    const subscribed = members.filter(({ subscriptionStatus }) => subscriptionStatus === 'subscribed');
    const optedOut = await this.optOuts.among(tx, scope, subscribed);
    const suppressed = await this.suppressions.among(tx, scope, members);
    const hashes = new Map(members.map((member) => [member.id, this.hashesOf(scope, member)]));
    const duplicates = await this.findDuplicates(tx, scope, instance, hashes, unstored);
    const exclusions = { refused: optedOut, listed: suppressed, repeated: duplicates };
    const chunk = planChunk(instance, page, exclusions, () => uuidv7(now.getTime()));
    const addresses = chunk.recipients.flatMap(({ contactId, skipped }) =>
      skipped === null || skipped === 'holdout' ? (hashes.get(contactId)?.slice(0, 1) ?? []) : [],
    );
    return { ...chunk, addresses };
  }

  /**
   * Hashes the address with every key, the first key first. Addresses are stored only while an audience is taken, so a
   * key can be removed afterwards.
   */
  private hashesOf(scope: TenantScope, { email }: AudienceMember): string[] {
    return this.digests.toFind(scope, email ?? '').map((digest) => asUuid(digest.slice(0, HASH_DIGITS)));
  }

  /** Returns the members whose address belongs to a contact of an earlier chunk. */
  private async findDuplicates(
    tx: Transaction,
    scope: TenantScope,
    { id, takenTo }: CampaignInstance,
    hashes: ReadonlyMap<string, readonly string[]>,
    unstored: readonly string[],
  ): Promise<Set<string>> {
    if (takenTo === null) return new Set();
    const existing = await this.addresses.among(tx, scope, id, [...hashes.values()].flat());
    for (const hash of unstored) existing.add(hash);
    return new Set(
      [...hashes].flatMap(([memberId, memberHashes]) =>
        memberHashes.some((hash) => existing.has(hash)) ? [memberId] : [],
      ),
    );
  }

  /** Stores a planned chunk of this instance. The instance is locked and unchanged since the chunk was planned. */
  async storeChunk(
    tx: Transaction,
    scope: TenantScope,
    instance: CampaignInstance,
    { messages, recipients, groups, addresses, progress }: AddressedChunk,
    now: Date,
  ): Promise<void> {
    const isOnlyChunk = instance.takenTo === null && progress.isTaken;
    if (!isOnlyChunk) await this.addresses.insert(tx, scope, instance.id, addresses);
    for (const [variant, chunk] of messages)
      await this.messages.enqueue(tx, scope, messageOf(instance, variant), chunk, now);
    await this.recipients.insert(tx, scope, instance.id, recipients);
    if (instance.content.abTest) await this.counters.addGroupSizes(tx, scope, instance.id, groups);
  }

  /**
   * Deletes addresses of an audience that has been taken, one batch per call.
   * @returns whether there were any.
   */
  async deleteAddresses(tx: Transaction, scope: TenantScope, { id }: CampaignInstance): Promise<boolean> {
    return (await this.addresses.deleteBatch(tx, scope, id, DELETE_BATCH_ADDRESSES)) > 0;
  }

  /**
   * Sends the winner of the instance's test to a chunk of the contacts that wait for it, each with its own send time.
   * @returns the instance; undefined when no contact waits any longer. Its campaign is locked.
   */
  async sendWinnerToRest(
    tx: Transaction,
    scope: TenantScope,
    instance: CampaignInstance,
    now: Date,
  ): Promise<CampaignInstance | undefined> {
    const { id: instanceId, timing, winner } = instance;
    if (winner === null) throw new TypeError(`The test of the instance ${instanceId} is not decided.`);
    const started = { ...instance, restFrom: instance.restFrom ?? restStartsAt(instance, now) };
    const startMs = sendStartMs(started, true);
    const rest = await this.recipients.rest(tx, scope, instanceId, CHUNK_CONTACTS);
    if (rest.length === 0) return undefined;
    const queued = rest.map(({ contactId, place: sendIndex, localAt }): Recipient => {
      const at = sendMoment(timing, { sendIndex, localAt: localAt?.getTime() ?? null }, startMs);
      return { id: uuidv7(now.getTime()), contactId, at };
    });
    await this.messages.enqueue(tx, scope, messageOf(instance, winner), queued, now);
    await this.recipients.assignWinner(tx, scope, { instanceId, winner }, queued);
    return started;
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
    options: {
      ...(subject === null ? {} : { subject }),
      emailSendSettings: SEND_SETTINGS,
      sender,
      frozenTemplateId,
    },
  };
}
