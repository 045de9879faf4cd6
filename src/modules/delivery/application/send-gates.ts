/**
 * Asks the gates about messages in the transaction that takes them in hand: those that have to wait go back into the queue
 * before anybody sees them gone. A message whose settings use no gate costs a look at them and no query.
 */
import { Injectable } from '@nestjs/common';
import { HOUR } from '../../../kernel/duration.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { WorkspaceSettings } from '../../workspaces/domain/workspace.js';
import {
  countsForCap,
  decideByCap,
  decideByClocks,
  isCapped,
  type CountedMessages,
  type GateRefusal,
} from '../domain/send-gates.js';
import type { DueSend } from '../persistence/send-ledger.repository.js';
import { SendGatesRepository, type HeldMessage } from '../persistence/send-gates.repository.js';
import { SendLines } from './send-lines.js';

/** Messages that go on to their attempt, and what was found against some of them. */
export interface Admitted {
  readonly sends: readonly DueSend[];
  readonly refused: ReadonlyMap<string, GateRefusal>;
}

/** What has been found of a batch so far. */
interface Findings {
  readonly held: HeldMessage[];
  readonly refused: Map<string, GateRefusal>;
}

@Injectable()
export class SendGates {
  constructor(
    private readonly gates: SendGatesRepository,
    private readonly lines: SendLines,
  ) {}

  /**
   * Lets messages through that the transaction has just taken in hand, and puts the others back until they may go.
   * @param settings of the workspace.
   */
  async admit(
    tx: Transaction,
    scope: TenantScope,
    due: readonly DueSend[],
    settings: WorkspaceSettings,
    now: Date,
  ): Promise<Admitted> {
    const found: Findings = { held: [], refused: new Map() };
    const byClocks = due.filter((send) => this.passesClocks(send, settings, found, now));
    const byCap = await this.underCap(tx, scope, byClocks, settings, found, now);
    const inNeed = byCap.flatMap(({ id, flowId, hasSlot }) =>
      flowId === null || hasSlot || found.refused.has(id) ? [] : [{ id, flowId }],
    );
    if (inNeed.length > 0) found.held.push(...(await this.lines.admit(tx, scope, inNeed, now)));
    if (found.held.length === 0) return { sends: due, refused: found.refused };
    await this.gates.hold(tx, scope, found.held, now);
    const held = new Set(found.held.map(({ id }) => id));
    return { sends: due.filter(({ id }) => !held.has(id)), refused: found.refused };
  }

  /** Lets messages out of the lines of throttled flows whose turn has come. */
  async openLines(tx: Transaction, scope: TenantScope, now: Date): Promise<void> {
    await this.lines.open(tx, scope, now);
  }

  /** Whether the message is still in question. */
  private passesClocks(send: DueSend, workspace: WorkspaceSettings, found: Findings, now: Date): boolean {
    const { emailSendSettings: settings } = send.options;
    if (!settings) return true;
    const contactTimezone = send.contact?.timezone ?? null;
    const decision = decideByClocks({ settings, workspace, contactTimezone }, now);
    if (decision.kind === 'never') found.refused.set(send.id, 'no_open_hours');
    if (decision.kind === 'wait') found.held.push({ ...decision, id: send.id });
    return decision.kind === 'open';
  }

  private async underCap(
    tx: Transaction,
    scope: TenantScope,
    due: readonly DueSend[],
    { frequencyCap: cap }: WorkspaceSettings,
    found: Findings,
    now: Date,
  ): Promise<readonly DueSend[]> {
    const asking = cap ? due.filter(({ options }) => isCapped(options.emailSendSettings)) : [];
    if (!cap || asking.length === 0) return due;
    const contactIds = [...new Set(asking.map(({ contactId }) => contactId))];
    await this.gates.lockCaps(tx, scope, contactIds);
    const counted = await this.gates.counted(tx, scope, contactIds, {
      since: new Date(now.getTime() - cap.periodHours * HOUR),
      besides: due.map(({ id }) => id),
    });
    return due.filter((send) => {
      const { emailSendSettings: settings } = send.options;
      const before = counted.get(send.contactId) ?? NONE_COUNTED;
      if (isCapped(settings)) {
        const decision = decideByCap(before, cap.max, now);
        if (decision.kind === 'suppress') found.refused.set(send.id, 'frequency_cap');
        if (decision.kind === 'wait') found.held.push({ id: send.id, gate: 'frequency_cap', ...decision });
        if (decision.kind !== 'open') return decision.kind === 'suppress';
      }
      if (countsForCap(settings)) counted.set(send.contactId, { ...before, inHand: before.inHand + 1 });
      return true;
    });
  }
}

const NONE_COUNTED: CountedMessages = { sent: 0, inHand: 0 };
