/**
 * Updates all waiting messages of an instance: holds them on pause, releases them on resume, cancels them on
 * cancellation. Works in batches and stores a cursor with each, since there may be a million messages.
 */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { CampaignMessages } from '../../delivery/application/campaign-messages.js';
import type { WaitingKind } from '../../delivery/domain/campaign-chunk.js';
import { sendStartMs } from '../domain/ab-phases.js';
import type { CampaignInstance, Sweep } from '../domain/instance.js';
import { sendMoment } from '../domain/send-moment.js';
import { CampaignRecipientRepository } from '../persistence/campaign-recipient.repository.js';

/** Messages per batch. */
const SWEEP_BATCH_MESSAGES = 2_000;
const WAITING_KINDS: Readonly<Record<Sweep, WaitingKind>> = { hold: 'free', release: 'held', cancel: 'all' };

@Injectable()
export class CampaignSweeps {
  constructor(
    private readonly messages: CampaignMessages,
    private readonly recipients: CampaignRecipientRepository,
  ) {}

  /**
   * Runs one batch of the instance's sweep and returns the instance, without a sweep once all is done. The instance is
   * locked.
   */
  async runBatch(
    tx: Transaction,
    scope: TenantScope,
    instance: CampaignInstance,
    sweep: Sweep,
    now: Date,
  ): Promise<CampaignInstance> {
    const batch = { kind: WAITING_KINDS[sweep], after: instance.sweepAfter, limit: SWEEP_BATCH_MESSAGES };
    const found = await this.messages.waiting(tx, scope, instance.id, batch);
    const ids = found.map(({ id }) => id);
    if (sweep === 'hold') await this.messages.hold(tx, scope, ids, now);
    else if (sweep === 'cancel') await this.messages.cancel(tx, scope, ids, now);
    else await this.release(tx, scope, instance, found, now);
    const isOver = found.length < SWEEP_BATCH_MESSAGES;
    return {
      ...instance,
      sweep: isOver ? null : sweep,
      sweepAfter: isOver ? null : (found.at(-1)?.contactId ?? null),
    };
  }

  /** Keeps a send spread over hours as it was: each message moves later by the total length of the pauses. */
  private async release(
    tx: Transaction,
    scope: TenantScope,
    instance: CampaignInstance,
    found: readonly { readonly id: string; readonly contactId: string }[],
    now: Date,
  ): Promise<void> {
    const timed = await this.recipients.timed(
      tx,
      scope,
      instance.id,
      found.map(({ contactId }) => contactId),
    );
    const times = new Map(timed.map((one) => [one.contactId, one]));
    const released = found.map(({ id, contactId }) => {
      const { place: sendIndex = 0, localAt = null, isRest = false } = times.get(contactId) ?? {};
      const startMs = sendStartMs(instance, isRest);
      const at = sendMoment(instance.timing, { sendIndex, localAt: localAt?.getTime() ?? null }, startMs);
      return { id, at: at < now ? now : at };
    });
    await this.messages.release(tx, scope, released, now);
  }
}
