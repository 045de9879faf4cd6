/** Lists events that were not applied, for the operator, and replays them. */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { parseJson } from '../../../kernel/json-text.js';
import { isUuid } from '../../../kernel/tenant-scope.js';
import { Database } from '../../../platform/database/database.js';
import { Dispatcher } from '../../../platform/queue/dispatcher.js';
import { WAKE_UPS } from '../../../platform/queue/wake-ups.js';
import type { BillingFailure, BillingSource } from '../domain/billing-event.js';
import { BillingEventRepository } from '../persistence/billing-event.repository.js';
import { UnmatchedBillingEventRepository } from '../persistence/unmatched-billing-event.repository.js';
import { BillingIntake } from './billing-intake.js';

/** Maximum events per call. */
const MAX_EVENTS = 1_000;

/** An event that was not applied. */
export interface FailedBillingEvent {
  /** The id to replay it by. */
  readonly id: string;
  /** Null if the workspace is not known. */
  readonly workspaceId: string | null;
  readonly source: BillingSource;
  /** Null if the event cannot be parsed. */
  readonly type: string | null;
  readonly failure: BillingFailure;
  readonly receivedAt: Date;
}

@Injectable()
export class BillingReplay {
  constructor(
    private readonly database: Database,
    private readonly events: BillingEventRepository,
    private readonly unmatchedEvents: UnmatchedBillingEventRepository,
    private readonly intake: BillingIntake,
    private readonly dispatcher: Dispatcher,
    private readonly clock: Clock,
  ) {}

  /** The oldest ones: at most 1,000 of workspaces and 1,000 unmatched ones. */
  async failed(): Promise<FailedBillingEvent[]> {
    const failed: FailedBillingEvent[] = [];
    for (const { workspaceId, id } of await this.events.failed(MAX_EVENTS, null)) {
      const stored = await this.database.inScope({ workspaceId }, (tx) =>
        this.events.find(tx, { workspaceId }, id),
      );
      if (!stored?.failure) continue;
      const { source, event, failure, receivedAt } = stored;
      failed.push({ id, workspaceId, source, type: event.type, failure, receivedAt });
    }
    const unmatched = await this.unmatchedEvents.list(MAX_EVENTS, null);
    return [
      ...failed,
      ...unmatched.map(({ key: id, source, failure, receivedAt }) => ({
        ...{ id, workspaceId: null, source, type: null },
        ...{ failure, receivedAt },
      })),
    ];
  }

  /**
   * Queues events again; workers apply them.
   * @param id of a single event; null for all, at most 1,000 of workspaces and 1,000 unmatched ones.
   * @returns how many were queued, and how many are still unmatched.
   */
  async replay(id: string | null): Promise<{ readonly replayed: number; readonly stray: number }> {
    const now = this.clock.now();
    let replayed = 0;
    let stray = 0;
    const failed = id === null || isUuid(id) ? await this.events.failed(MAX_EVENTS, id) : [];
    for (const { workspaceId, id: eventId } of failed) {
      if (!(await this.events.replay({ workspaceId }, eventId, now))) continue;
      this.dispatcher.wake(WAKE_UPS.billing, { workspaceId, environment: 'live' });
      replayed++;
    }
    for (const { key, source, body } of await this.unmatchedEvents.list(MAX_EVENTS, id)) {
      if (await this.intake.rematch({ source, text: body, value: valueOf(body) })) {
        await this.unmatchedEvents.remove(key);
        replayed++;
      } else stray++;
    }
    return { replayed, stray };
  }
}

function valueOf(body: string): unknown {
  try {
    return parseJson(body);
  } catch {
    return undefined;
  }
}
