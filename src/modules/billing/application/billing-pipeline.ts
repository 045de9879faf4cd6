/**
 * Applies the payment providers' events of a workspace, each in its own transaction. An event that cannot be applied
 * changes nothing, is kept with the reason, and does not block later events.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { Clock } from '../../../kernel/clock.js';
import { DAY, MINUTE } from '../../../kernel/duration.js';
import { BILLING_AUTHOR } from '../../../kernel/principal.js';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { Database, isTransient, type Transaction } from '../../../platform/database/database.js';
import { LOGGER } from '../../../platform/logging/logger.js';
import { Metrics } from '../../../platform/telemetry/metrics.js';
import { failureOf } from '../../dead-letters/application/failure.js';
import { UsageRenewal } from '../../limits/application/usage-renewal.js';
import { WorkspaceBilling } from '../../workspaces/application/workspace-billing.js';
import type { BillingState } from '../../workspaces/domain/workspace.js';
import { isChange, type BillingFailure } from '../domain/billing-event.js';
import { isPlan, outcomeOf } from '../domain/billing-outcome.js';
import { BillingEventRepository, type StoredBillingEvent } from '../persistence/billing-event.repository.js';
import { BillingChanges } from './billing-changes.js';

/** How long applied events are kept. Subscriptions are kept completely. */
const EVENT_RETENTION_MS = 400 * DAY;
/** How many old events are deleted after each applied event. */
const MAX_DELETED_EVENTS = 100;
/** How long an event is postponed when a lock or a lack of resources prevents it, and for how long it is retried. */
const RETRY_DELAY_MS = MINUTE;
const MAX_RETRY_AGE_MS = DAY;

/** An error that may pass by the next attempt. It rolls back the whole attempt. */
class EventPostponedError extends Error {
  constructor(
    readonly stored: StoredBillingEvent,
    cause: unknown,
  ) {
    super(`The billing event ${stored.id} could not be applied yet.`, { cause });
  }
}

@Injectable()
export class BillingPipeline {
  constructor(
    private readonly database: Database,
    private readonly events: BillingEventRepository,
    private readonly workspaces: WorkspaceBilling,
    private readonly renewal: UsageRenewal,
    private readonly changes: BillingChanges,
    private readonly clock: Clock,
    private readonly metrics: Metrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Processes the workspace's events until none is left or `mayContinue` returns false.
   * @returns whether some may be left.
   */
  async processPending(scope: WorkspaceScope, mayContinue: () => boolean): Promise<boolean> {
    while (mayContinue()) if (!(await this.processOne(scope))) return false;
    return true;
  }

  private async processOne(scope: WorkspaceScope): Promise<boolean> {
    try {
      return await this.processNext(scope);
    } catch (error) {
      if (!(error instanceof EventPostponedError)) throw error;
      const { stored } = error;
      this.logger.warn(
        { err: error.cause, ...scope, billingEventId: stored.id },
        'A billing event is waiting',
      );
      const until = new Date(this.clock.now().getTime() + RETRY_DELAY_MS);
      await this.database.inScope(scope, (tx) => this.events.postpone(tx, scope, stored.id, until));
      return true;
    }
  }

  private async processNext(scope: WorkspaceScope): Promise<boolean> {
    const now = this.clock.now();
    return this.database.inScope(scope, async (tx) => {
      // Locks the workspace first, so that another worker on an event of it waits.
      const state = await this.workspaces.lock(tx, scope);
      const stored = state && (await this.events.next(tx, scope, now));
      if (!stored) return false;
      const failure = await this.attempt(tx, scope, stored, state, now);
      await this.events.markProcessed(tx, scope, stored.id, failure, now);
      await this.events.deleteApplied(
        tx,
        scope,
        new Date(now.getTime() - EVENT_RETENTION_MS),
        MAX_DELETED_EVENTS,
      );
      return true;
    });
  }

  /** @returns why the event could not be applied, in which case nothing has changed; null if it was applied. */
  private async attempt(
    tx: Transaction,
    scope: WorkspaceScope,
    stored: StoredBillingEvent,
    state: BillingState,
    now: Date,
  ): Promise<BillingFailure | null> {
    const logFields = { workspaceId: scope.workspaceId, billingEventId: stored.id, type: stored.event.type };
    const failed = (failure: BillingFailure, error?: unknown): BillingFailure => {
      tx.afterCommit(() => {
        this.metrics.billingFailures.inc({ reason: failure });
        this.logger.error({ err: error, ...logFields, failure }, 'A billing event was not applied');
      });
      return failure;
    };
    try {
      const failure = await tx.inSavepoint(() => this.apply(tx, scope, stored, state, now));
      if (failure) return failed(failure);
      if (stored.event.meaning === 'warning')
        tx.afterCommit(() => this.logger.warn(logFields, 'A payment is overdue'));
      return null;
    } catch (error) {
      if (isTransient(error)) throw error;
      const mayRetry = now.getTime() - stored.receivedAt.getTime() < MAX_RETRY_AGE_MS;
      if (failureOf(error).kind !== 'lasting' && mayRetry) throw new EventPostponedError(stored, error);
      return failed('internal_error', error);
    }
  }

  private async apply(
    tx: Transaction,
    scope: WorkspaceScope,
    { event }: StoredBillingEvent,
    state: BillingState,
    now: Date,
  ): Promise<BillingFailure | null> {
    if (!isChange(event)) return null;
    if (event.plan !== null && event.meaning !== 'cancelled' && !isPlan(event.plan)) return 'unknown_plan';
    const known = await this.changes.knownSubscriptions(tx, scope, state, event.subscriptionId);
    const outcome = outcomeOf(state, known, event);
    if (!outcome) return 'malformed';
    if (outcome.beginsPeriod) await this.renewal.renew(tx, scope, now);
    await this.changes.store(tx, scope, state, outcome, BILLING_AUTHOR, now);
    return null;
  }
}
