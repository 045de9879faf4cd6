/**
 * Checks the gates for messages in the transaction that claims them. Messages that must wait are requeued before any
 * other transaction sees them claimed. A message whose settings use no gate costs no query.
 */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { WorkspaceSettings } from '../../workspaces/domain/workspace.js';
import { checkGates, type GateQuery, type GateRules } from '../domain/gate-order.js';
import type { GateRefusal } from '../domain/send-gates.js';
import type { DueSend } from '../persistence/send-ledger.repository.js';
import { SendGatesRepository } from '../persistence/send-gates.repository.js';
import { GateRulesReader } from './gate-rules-reader.js';
import { CampaignDeliveryStates } from './campaign-delivery-states.port.js';
import { MessagePauses, type PausedMessages } from './message-pauses.js';
import { ThrottleQueues } from './throttle-queues.js';
import { SendReviews } from './send-reviews.js';

/** Messages to attempt, and the gates' refusals of some of them. */
export interface AdmittedSends {
  readonly sends: readonly DueSend[];
  readonly refused: ReadonlyMap<string, GateRefusal>;
}

/** A message as the gates see it. */
export type GatedSend = DueSend & { readonly contactTimezone: string | null };

@Injectable()
export class SendGates {
  constructor(
    private readonly gates: SendGatesRepository,
    private readonly throttleQueues: ThrottleQueues,
    private readonly rules: GateRulesReader,
    private readonly reviews: SendReviews,
    private readonly pauses: MessagePauses,
    private readonly campaigns: CampaignDeliveryStates,
  ) {}

  /**
   * Requeues those of the messages just claimed that must wait. Returns the others, also those that a gate refuses:
   * their attempt suppresses them.
   * @param settings the workspace's settings.
   */
  async admit(
    tx: Transaction,
    scope: TenantScope,
    due: readonly DueSend[],
    settings: WorkspaceSettings,
    now: Date,
  ): Promise<AdmittedSends> {
    const paused = await this.pauses.among(tx, scope, due, now);
    await this.reportHeldCampaigns(tx, scope, paused.held);
    const gated = due
      .filter((send) => !paused.held.has(send) && !paused.refused.has(send))
      .map((send) => ({ ...send, contactTimezone: send.contact?.timezone ?? null }));
    const check = checkGates(gated, await this.rules.cached(tx, scope, gated, settings), now);
    let step = check.next();
    while (step.done !== true) {
      await this.answer(tx, scope, gated, step.value, now);
      step = check.next();
    }
    const { held, refused } = step.value;
    await this.gates.hold(
      tx,
      scope,
      [
        ...[...paused.held].map(([{ id, chargedBefore }, until]) => ({
          id,
          chargedBefore,
          gate: 'sending_pause' as const,
          until,
        })),
        ...[...held].map(([{ id, chargedBefore }, wait]) => ({ id, chargedBefore, ...wait })),
      ],
      now,
    );
    return {
      sends: [...gated.filter((send) => !held.has(send)), ...paused.refused],
      refused: new Map([
        ...[...paused.refused].map(({ id }) => [id, 'sending_paused'] as const),
        ...[...refused].map(([{ id }, refusal]) => [id, refusal] as const),
      ]),
    };
  }

  /** Releases messages from the queues of throttled sources when slots are free. */
  async releaseThrottled(tx: Transaction, scope: TenantScope, now: Date): Promise<void> {
    await this.throttleQueues.releaseDue(tx, scope, now);
  }

  /** If a pause of all promotional mail holds messages of a campaign, the campaign is paused too. */
  private async reportHeldCampaigns(
    tx: Transaction,
    scope: TenantScope,
    held: PausedMessages['held'],
  ): Promise<void> {
    const ids = new Set([...held.keys()].flatMap(({ campaignId }) => campaignId ?? []));
    if (ids.size === 0) return;
    const reason = await this.pauses.reason(tx, scope);
    if (reason) await this.campaigns.reportStopped(tx, scope, [...ids], reason);
  }

  private async answer(
    tx: Transaction,
    scope: TenantScope,
    gated: readonly GatedSend[],
    query: GateQuery<GatedSend>,
    now: Date,
  ): Promise<void> {
    switch (query.about) {
      case 'rules':
        query.rules = await this.rereadRules(tx, scope, gated);
        break;
      case 'counted': {
        const contactIds = [...query.contactIds];
        await this.gates.lockCaps(tx, scope, contactIds);
        query.counted = await this.gates.counted(tx, scope, contactIds, {
          since: query.since,
          besides: gated.map(({ id }) => id),
        });
        break;
      }
      case 'slots': {
        const needingSlot = query.messages.flatMap(({ id, sourceId }) =>
          sourceId ? [{ id, sourceId }] : [],
        );
        const besides = gated.flatMap(({ id, hasSlot }) => (hasSlot ? [] : [id]));
        const waiting = await this.throttleQueues.admit(tx, scope, needingSlot, besides, now);
        query.waiting = new Set(query.messages.filter(({ id }) => waiting.has(id)));
      }
    }
  }

  /** The rules in this process's cache may be slightly old. A message held by old rules would miss the review. */
  private async rereadRules(
    tx: Transaction,
    scope: TenantScope,
    gated: readonly GatedSend[],
  ): Promise<GateRules<GatedSend>> {
    await this.reviews.share(tx, scope);
    return this.rules.read(tx, scope, gated);
  }
}
