/**
 * Accepts events, sections 4.10 and 6.3. An event is accepted when its row is committed, and not before. The row is
 * also the outbox from which trips are started.
 */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { DomainError } from '../../../kernel/domain-error.js';
import { DAY } from '../../../kernel/duration.js';
import { scopeKey, type TenantScope } from '../../../kernel/tenant-scope.js';
import { uuidv7 } from '../../../kernel/uuid.js';
import { Database } from '../../../platform/database/database.js';
import { Dispatcher } from '../../../platform/queue/dispatcher.js';
import { WAKE_UPS } from '../../../platform/queue/wake-ups.js';
import { Metrics } from '../../../platform/telemetry/metrics.js';
import { assertWithin, planOf } from '../../limits/domain/plan.js';
import { MonthlyUsage } from '../../limits/application/monthly-usage.js';
import { type IncomingEvent, readBatchedEvent, readEvent } from '../domain/read-event.js';
import { EventRepository, type NewEvent } from '../persistence/event.repository.js';
import { GroupCommit } from './group-commit.js';

/** How long an idempotency key is valid, in milliseconds of the product's clock. */
const IDEMPOTENCY_KEY_TTL_MS = DAY;
const GROUP_COMMIT_OPTIONS = { lingerMs: 1, maxBatchSize: 500, maxInFlight: 4 } as const;

export interface BatchOutcome {
  readonly accepted: number;
  readonly rejected: number;
  readonly errors: readonly { readonly index: number; readonly code: string; readonly detail: string }[];
}

/** The outcome of an event. `overCap`: how many of the month's events were already used. */
type StoreOutcome = 'stored' | 'duplicate' | { readonly overCap: number };

/** The sender of events, which count against the plan's cap of the environment. */
interface EventSender {
  readonly scope: TenantScope;
  readonly plan: string;
}

@Injectable()
export class IngestService {
  private readonly groups = new Map<string, GroupCommit<NewEvent, StoreOutcome>>();

  constructor(
    private readonly database: Database,
    private readonly events: EventRepository,
    private readonly usage: MonthlyUsage,
    private readonly dispatcher: Dispatcher,
    private readonly metrics: Metrics,
    private readonly clock: Clock,
  ) {}

  /**
   * Stores one event and returns its id.
   * @param plan the workspace's plan, whose cap of monthly events applies.
   * @throws DomainError as `readEvent`; duplicate_event when its idempotency key was used within 24 hours;
   * plan_limit_reached when the month's events are used up.
   */
  async accept(scope: TenantScope, plan: string, input: unknown): Promise<string> {
    try {
      const event = this.read(readEvent, input);
      await this.store({ scope, plan }, event);
      this.metrics.eventsAccepted.inc();
      return event.id;
    } catch (error) {
      this.countRejection(error);
      throw error;
    }
  }

  /** Stores the valid events of a batch and reports the others by their index. */
  async acceptBatch(scope: TenantScope, plan: string, inputs: readonly unknown[]): Promise<BatchOutcome> {
    const sender = { scope, plan };
    const outcomes = await Promise.allSettled(
      inputs.map(async (input) => this.store(sender, this.read(readBatchedEvent, input))),
    );
    const errors: BatchOutcome['errors'][number][] = [];
    outcomes.forEach((outcome, index) => {
      if (outcome.status === 'fulfilled') return;
      // An internal error fails the whole request: an event that was not stored must not be reported as merely
      // rejected.
      if (!(outcome.reason instanceof DomainError)) throw outcome.reason;
      this.countRejection(outcome.reason);
      errors.push({ index, code: outcome.reason.code, detail: outcome.reason.detail });
    });
    const accepted = inputs.length - errors.length;
    this.metrics.eventsAccepted.inc(accepted);
    return { accepted, rejected: errors.length, errors };
  }

  private read(reader: (input: unknown, now: Date) => IncomingEvent, input: unknown): NewEvent {
    const now = this.clock.now();
    const event = reader(input, now);
    // Not spread, which takes three times as long, on the busiest path of the product.
    return {
      id: uuidv7(now.getTime()),
      externalId: event.externalId,
      eventName: event.eventName,
      attributes: event.attributes,
      contact: event.contact,
      idempotencyKey: event.idempotencyKey,
      occurredAt: event.occurredAt,
    };
  }

  private async store({ scope, plan }: EventSender, event: NewEvent): Promise<void> {
    const key = `${scopeKey(scope)}:${plan}`;
    let group = this.groups.get(key);
    if (!group) {
      group = new GroupCommit((batch) => this.storeBatch({ scope, plan }, batch), GROUP_COMMIT_OPTIONS);
      this.groups.set(key, group);
    }
    const outcome = await group.add(event);
    if (group.isIdle) this.groups.delete(key);
    if (outcome === 'duplicate')
      throw new DomainError(
        'duplicate_event',
        `The idempotency key ${event.idempotencyKey} was already used.`,
      );
    if (outcome !== 'stored') assertWithin('events', outcome.overCap, planOf(plan));
  }

  private async storeBatch(sender: EventSender, batch: readonly NewEvent[]): Promise<StoreOutcome[]> {
    const { scope, plan } = sender;
    const now = this.clock.now();
    const cap = planOf(plan).caps.events;
    if (cap !== Number.POSITIVE_INFINITY) return this.storeWithin(sender, cap, batch, now);
    // Without a cap, events are counted when they are processed: here all requests would wait for one row.
    const unique = firstOfEachKey(batch);
    const stored = unique.some(({ idempotencyKey }) => idempotencyKey !== null)
      ? await this.events.insertKeyedInOwnTransaction(scope, unique, now, expiryOf(now))
      : await this.events.insertInOwnTransaction(scope, unique, now).then(() => idsOf(unique));
    if (stored.size > 0) this.dispatcher.wake(WAKE_UPS.events, scope);
    return batch.map((event) => (stored.has(event.id) ? 'stored' : 'duplicate'));
  }

  /** Stores as many of the events as the month's cap allows. Repetitions do not count. */
  private async storeWithin(
    { scope }: EventSender,
    cap: number,
    batch: readonly NewEvent[],
    now: Date,
  ): Promise<StoreOutcome[]> {
    const unique = firstOfEachKey(batch);
    const keyed = unique.filter(({ idempotencyKey }) => idempotencyKey !== null);
    const outcomes = await this.database.inScope(scope, async (tx): Promise<StoreOutcome[]> => {
      const claimed =
        keyed.length > 0
          ? await this.events.claimKeys(tx, scope, keyed, now, expiryOf(now))
          : new Set<string>();
      const newEvents = unique.filter((event) => event.idempotencyKey === null || claimed.has(event.id));
      const { granted, used } =
        newEvents.length === 0
          ? { granted: 0, used: 0 }
          : await this.usage.consume(tx, scope, newEvents.length, cap, now);
      const stored = newEvents.slice(0, granted);
      if (stored.length > 0) await this.events.insert(tx, scope, stored, now);
      const rejected = newEvents.slice(granted);
      // Only a stored event uses up its key.
      await this.events.releaseKeys(tx, scope, rejected);
      const [isStored, isRejected] = [idsOf(stored), idsOf(rejected)];
      return batch.map((event) => {
        if (isStored.has(event.id)) return 'stored';
        return isRejected.has(event.id) ? { overCap: used + granted } : 'duplicate';
      });
    });
    if (outcomes.includes('stored')) this.dispatcher.wake(WAKE_UPS.events, scope);
    return outcomes;
  }

  private countRejection(error: unknown): void {
    this.metrics.eventsRefused.inc({ code: error instanceof DomainError ? error.code : 'internal_error' });
  }
}

function idsOf(events: readonly NewEvent[]): Set<string> {
  return new Set(events.map(({ id }) => id));
}

function expiryOf(now: Date): Date {
  return new Date(now.getTime() + IDEMPOTENCY_KEY_TTL_MS);
}

/** The events without those that repeat the idempotency key of an earlier one. */
function firstOfEachKey(batch: readonly NewEvent[]): readonly NewEvent[] {
  const seen = new Set<string>();
  return batch.filter(({ idempotencyKey }) => {
    if (idempotencyKey === null) return true;
    if (seen.has(idempotencyKey)) return false;
    seen.add(idempotencyKey);
    return true;
  });
}
