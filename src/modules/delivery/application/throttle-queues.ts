/**
 * Grants throttle slots. Messages claimed while none waits get the free slots. Waiting messages get slots in the order
 * of their ids, as slots become free. A transaction that grants slots holds the lock of the source's queue.
 */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import {
  freeSlots,
  throttleKey,
  nextCheckAt,
  periodOf,
  slotToWaitFor,
  type Throttle,
} from '../domain/throttle.js';
import { ThrottleQueueRepository, type ThrottleQueue } from '../persistence/throttle-queue.repository.js';
import { SendThrottles } from './send-throttles.port.js';

/** Queues that are checked together, and messages released from each. */
const MAX_QUEUES_PER_CHECK = 32;
const MAX_RELEASED_PER_QUEUE = 1_000;

/** A message that needs a slot. */
export interface SlotRequest {
  readonly id: string;
  readonly sourceId: string;
}

/** A source's throttle, and the messages claimed by this transaction that have no slot yet. */
interface ThrottledSource {
  readonly sourceId: string;
  readonly throttle: Throttle;
  readonly besides: readonly string[];
}

@Injectable()
export class ThrottleQueues {
  constructor(
    private readonly queues: ThrottleQueueRepository,
    private readonly throttles: SendThrottles,
  ) {}

  /**
   * Grants slots to messages that the transaction has claimed.
   * @param besides all messages that it has claimed without a slot.
   * @returns ids of those that have to wait.
   */
  async admit(
    tx: Transaction,
    scope: TenantScope,
    messages: readonly SlotRequest[],
    besides: readonly string[],
    now: Date,
  ): Promise<ReadonlySet<string>> {
    const sourceIds = [...new Set(messages.map(({ sourceId }) => sourceId))];
    const throttles = await this.throttles.of(tx, scope, sourceIds);
    const waiting = new Set<string>();
    // In the same order everywhere, so that two transactions never wait for each other's queues.
    for (const sourceId of sourceIds.toSorted()) {
      const throttle = throttles.get(sourceId);
      if (!throttle) continue;
      const ids = messages.filter((message) => message.sourceId === sourceId).map(({ id }) => id);
      const granted = await this.grantSlots(tx, scope, { sourceId, throttle, besides }, ids.toSorted(), now);
      for (const id of ids) if (!granted.has(id)) waiting.add(id);
    }
    return waiting;
  }

  /** Releases messages from the queues that are due for a check, by the current throttles. */
  async releaseDue(tx: Transaction, scope: TenantScope, now: Date): Promise<void> {
    const due = await this.queues.due(tx, scope, now, MAX_QUEUES_PER_CHECK);
    if (due.length === 0) return;
    const throttles = await this.throttles.read(
      tx,
      scope,
      due.map(({ sourceId }) => sourceId),
    );
    for (const queue of due) await this.releaseFrom(tx, scope, queue, throttles.get(queue.sourceId), now);
  }

  private async grantSlots(
    tx: Transaction,
    scope: TenantScope,
    throttled: ThrottledSource,
    ids: readonly string[],
    now: Date,
  ): Promise<ReadonlySet<string>> {
    const { sourceId, throttle } = throttled;
    const queue = await this.queues.lock(tx, scope, sourceId);
    if (queue.lookAt) return new Set();
    const isKnown = queue.placesOf === throttleKey(throttle) && queue.places >= ids.length;
    const free = isKnown ? queue.places : await this.free(tx, scope, throttled, now);
    const granted = ids.slice(0, free);
    await this.queues.grant(tx, scope, granted);
    const places = free - granted.length;
    const left = { ...throttled, besides: throttled.besides.filter((id) => !granted.includes(id)) };
    const next = granted.length < ids.length ? await this.pause(tx, scope, left, now) : NONE_WAITING;
    await this.queues.store(tx, scope, { sourceId, ...next, places, placesOf: throttleKey(throttle) });
    return new Set(granted);
  }

  private async releaseFrom(
    tx: Transaction,
    scope: TenantScope,
    { sourceId }: ThrottleQueue,
    throttle: Throttle | undefined,
    now: Date,
  ): Promise<void> {
    const throttled = throttle && { sourceId, throttle, besides: [] };
    const free = throttled ? await this.free(tx, scope, throttled, now) : MAX_RELEASED_PER_QUEUE;
    const limit = Math.min(free, MAX_RELEASED_PER_QUEUE);
    const hasSlot = throttle !== undefined;
    const released = limit > 0 ? await this.queues.release(tx, scope, { sourceId, limit, hasSlot }, now) : 0;
    const hasWaiting = await this.queues.hasWaiting(tx, scope, sourceId);
    const places = throttle ? free - released : 0;
    let next = NONE_WAITING;
    if (hasWaiting)
      next =
        throttled && places === 0
          ? await this.pause(tx, scope, throttled, now)
          : { lookAt: now, opensAt: now };
    const placesOf = throttle ? throttleKey(throttle) : '';
    await this.queues.store(tx, scope, { sourceId, ...next, places, placesOf });
  }

  private async free(
    tx: Transaction,
    scope: TenantScope,
    throttled: ThrottledSource,
    now: Date,
  ): Promise<number> {
    const { throttle } = throttled;
    return freeSlots(throttle, await this.queues.use(tx, scope, slotRangeOf(throttled, now)));
  }

  /** When to check a queue without a free slot next, and when its next slot is expected. */
  private async pause(
    tx: Transaction,
    scope: TenantScope,
    throttled: ThrottledSource,
    now: Date,
  ): Promise<Pick<ThrottleQueue, 'lookAt' | 'opensAt'>> {
    const { throttle } = throttled;
    const range = slotRangeOf(throttled, now);
    const position = slotToWaitFor(throttle, await this.queues.use(tx, scope, range));
    const usedAt =
      position === undefined ? undefined : await this.queues.usedAt(tx, scope, { ...range, position });
    const opensAt = usedAt ? new Date(usedAt.getTime() + periodOf(throttle)) : null;
    return { opensAt, lookAt: nextCheckAt(throttle, opensAt, now) };
  }
}

const NONE_WAITING: Pick<ThrottleQueue, 'lookAt' | 'opensAt'> = { lookAt: null, opensAt: null };

/** The range of a source's slot uses to count, limited to what makes a difference. */
function slotRangeOf({ sourceId, throttle, besides }: ThrottledSource, now: Date) {
  const since = new Date(now.getTime() - periodOf(throttle));
  return { sourceId, since, limit: throttle.limit, besides };
}
