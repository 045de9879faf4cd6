/**
 * What is done to all messages of an instance that wait: held while it is paused, let go when it goes on, called off when it is
 * cancelled. In stretches, each with how far it came, since there may be a million.
 */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { CampaignMessages } from '../../delivery/application/campaign-messages.js';
import type { WaitingKind } from '../../delivery/domain/campaign-stretch.js';
import { rowBegan } from '../domain/ab-course.js';
import type { CampaignInstance, Sweep } from '../domain/instance.js';
import { sendMoment } from '../domain/send-moment.js';
import { CampaignRecipientRepository } from '../persistence/campaign-recipient.repository.js';

/** Messages of a stretch. */
const AT_ONCE = 2_000;
const KIND: Readonly<Record<Sweep, WaitingKind>> = { hold: 'free', release: 'held', cancel: 'all' };

@Injectable()
export class CampaignSweeps {
  constructor(
    private readonly messages: CampaignMessages,
    private readonly recipients: CampaignRecipientRepository,
  ) {}

  /** The instance with a further stretch of its sweep done; without a sweep once all is done. It is locked. */
  async goOn(
    tx: Transaction,
    scope: TenantScope,
    instance: CampaignInstance,
    sweep: Sweep,
    now: Date,
  ): Promise<CampaignInstance> {
    const stretch = { kind: KIND[sweep], after: instance.sweepAfter, limit: AT_ONCE };
    const found = await this.messages.waiting(tx, scope, instance.id, stretch);
    const ids = found.map(({ id }) => id);
    if (sweep === 'hold') await this.messages.hold(tx, scope, ids, now);
    else if (sweep === 'cancel') await this.messages.cancel(tx, scope, ids, now);
    else await this.release(tx, scope, instance, found, now);
    const isOver = found.length < AT_ONCE;
    return {
      ...instance,
      sweep: isOver ? null : sweep,
      sweepAfter: isOver ? null : (found.at(-1)?.contactId ?? null),
    };
  }

  /** What was spread over hours stays so: everybody's turn comes later by as long as the pauses were. */
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
      const { place = 0, localAt = null, isRest = false } = times.get(contactId) ?? {};
      const began = rowBegan(instance, isRest);
      const at = sendMoment(instance.timing, { place, localAt: localAt?.getTime() ?? null }, began);
      return { id, at: at < now ? now : at };
    });
    await this.messages.release(tx, scope, released, now);
  }
}
