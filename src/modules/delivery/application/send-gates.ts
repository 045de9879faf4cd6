/**
 * Checks the gates for messages in the transaction that claims them. Messages that must wait are requeued before any
 * other transaction sees them claimed. A message whose settings use no gate costs no query.
 */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { WorkspaceSettings } from '../../workspaces/domain/workspace.js';
import { throughGates, type GateQuestion, type GateRules } from '../domain/gate-order.js';
import type { GateRefusal } from '../domain/send-gates.js';
import type { DueSend } from '../persistence/send-ledger.repository.js';
import { SendGatesRepository } from '../persistence/send-gates.repository.js';
import { GateRulesReader } from './gate-rules-reader.js';
import { CampaignStandings } from './campaign-standings.port.js';
import { MessagePauses, type PausedMessages } from './message-pauses.js';
import { SendLines } from './send-lines.js';
import { SendReviews } from './send-reviews.js';

/** Messages to attempt, and the gates' refusals of some of them. */
export interface Admitted {
  readonly sends: readonly DueSend[];
  readonly refused: ReadonlyMap<string, GateRefusal>;
}

/** A message as the gates see it. */
export type AskedSend = DueSend & { readonly contactTimezone: string | null };

@Injectable()
export class SendGates {
  constructor(
    private readonly gates: SendGatesRepository,
    private readonly lines: SendLines,
    private readonly rules: GateRulesReader,
    private readonly reviews: SendReviews,
    private readonly pauses: MessagePauses,
    private readonly campaigns: CampaignStandings,
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
  ): Promise<Admitted> {
    const paused = await this.pauses.among(tx, scope, due, now);
    await this.tellCampaigns(tx, scope, paused.held);
    const asked = due
      .filter((send) => !paused.held.has(send) && !paused.refused.has(send))
      .map((send) => ({ ...send, contactTimezone: send.contact?.timezone ?? null }));
    const passage = throughGates(asked, await this.rules.known(tx, scope, asked, settings), now);
    let step = passage.next();
    while (step.done !== true) {
      await this.answer(tx, scope, asked, step.value, now);
      step = passage.next();
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
      sends: [...asked.filter((send) => !held.has(send)), ...paused.refused],
      refused: new Map([
        ...[...paused.refused].map(({ id }) => [id, 'sending_paused'] as const),
        ...[...refused].map(([{ id }, refusal]) => [id, refusal] as const),
      ]),
    };
  }

  /** Releases messages from the queues of throttled sources when slots are free. */
  async openLines(tx: Transaction, scope: TenantScope, now: Date): Promise<void> {
    await this.lines.open(tx, scope, now);
  }

  /** If a pause of all promotional mail holds messages of a campaign, the campaign is paused too. */
  private async tellCampaigns(
    tx: Transaction,
    scope: TenantScope,
    held: PausedMessages['held'],
  ): Promise<void> {
    const ids = new Set([...held.keys()].flatMap(({ campaignId }) => campaignId ?? []));
    if (ids.size === 0) return;
    const why = await this.pauses.reason(tx, scope);
    if (why) await this.campaigns.stopped(tx, scope, [...ids], why);
  }

  private async answer(
    tx: Transaction,
    scope: TenantScope,
    asked: readonly AskedSend[],
    question: GateQuestion<AskedSend>,
    now: Date,
  ): Promise<void> {
    switch (question.about) {
      case 'rules':
        question.rules = await this.reread(tx, scope, asked);
        break;
      case 'counted': {
        const contactIds = [...question.contactIds];
        await this.gates.lockCaps(tx, scope, contactIds);
        question.counted = await this.gates.counted(tx, scope, contactIds, {
          since: question.since,
          besides: asked.map(({ id }) => id),
        });
        break;
      }
      case 'slots': {
        const inNeed = question.messages.flatMap(({ id, sourceId }) => (sourceId ? [{ id, sourceId }] : []));
        const besides = asked.flatMap(({ id, hasSlot }) => (hasSlot ? [] : [id]));
        const inLine = await this.lines.admit(tx, scope, inNeed, besides, now);
        question.inLine = new Set(question.messages.filter(({ id }) => inLine.has(id)));
      }
    }
  }

  /** The rules in this process's cache may be slightly old. A message held by old rules would miss the review. */
  private async reread(
    tx: Transaction,
    scope: TenantScope,
    asked: readonly AskedSend[],
  ): Promise<GateRules<AskedSend>> {
    await this.reviews.share(tx, scope);
    return this.rules.read(tx, scope, asked);
  }
}
