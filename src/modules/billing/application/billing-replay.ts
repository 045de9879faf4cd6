/** The operator's look at events that were not applied, and another try for them. */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { parseJson } from '../../../kernel/json-text.js';
import { isUuid } from '../../../kernel/tenant-scope.js';
import { Database } from '../../../platform/database/database.js';
import { Dispatcher } from '../../../platform/queue/dispatcher.js';
import type { BillingFailure, BillingSource } from '../domain/billing-event.js';
import { BillingEventRepository } from '../persistence/billing-event.repository.js';
import { StrayBillingEventRepository } from '../persistence/stray-billing-event.repository.js';
import { BILLING_BELL } from '../queue/billing.jobs.js';
import { BillingIntake } from './billing-intake.js';

/** Events of a call. */
const MOST = 1_000;

/** An event that was not applied. */
export interface FailedBillingEvent {
  /** By which it is replayed. */
  readonly id: string;
  /** Null where it is of no workspace that is known. */
  readonly workspaceId: string | null;
  readonly source: BillingSource;
  /** Null where it cannot be read. */
  readonly type: string | null;
  readonly failure: BillingFailure;
  readonly receivedAt: Date;
}

@Injectable()
export class BillingReplay {
  constructor(
    private readonly database: Database,
    private readonly events: BillingEventRepository,
    private readonly strays: StrayBillingEventRepository,
    private readonly intake: BillingIntake,
    private readonly dispatcher: Dispatcher,
    private readonly clock: Clock,
  ) {}

  /** The oldest ones, at most 1,000 of workspaces and as many of none. */
  async failed(): Promise<FailedBillingEvent[]> {
    const failed: FailedBillingEvent[] = [];
    for (const { workspaceId, id } of await this.events.failed(MOST, null)) {
      const stored = await this.database.inScope({ workspaceId }, (tx) =>
        this.events.find(tx, { workspaceId }, id),
      );
      if (!stored?.failure) continue;
      const { source, event, failure, receivedAt } = stored;
      failed.push({ id, workspaceId, source, type: event.type, failure, receivedAt });
    }
    const strays = await this.strays.list(MOST, null);
    return [
      ...failed,
      ...strays.map(({ key: id, source, failure, receivedAt }) => ({
        ...{ id, workspaceId: null, source, type: null },
        ...{ failure, receivedAt },
      })),
    ];
  }

  /**
   * Tries events once more; workers apply them.
   * @param id of one alone; null for all, at most 1,000 of workspaces and as many of none.
   * @returns how many are on their way, and how many are of no workspace still.
   */
  async replay(id: string | null): Promise<{ readonly replayed: number; readonly stray: number }> {
    const now = this.clock.now();
    let replayed = 0;
    let stray = 0;
    const failed = id === null || isUuid(id) ? await this.events.failed(MOST, id) : [];
    for (const { workspaceId, id: eventId } of failed) {
      if (!(await this.events.replay({ workspaceId }, eventId, now))) continue;
      this.dispatcher.ring(BILLING_BELL, { workspaceId, environment: 'live' });
      replayed++;
    }
    for (const { key, source, body } of await this.strays.list(MOST, id)) {
      if (await this.intake.find({ source, text: body, value: valueOf(body) })) {
        await this.strays.remove(key);
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
