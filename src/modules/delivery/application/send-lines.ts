/**
 * Grants throttle slots. Messages claimed while none waits get the free slots. Waiting messages get slots in the order
 * of their ids, as slots become free. A transaction that grants slots holds the lock of the source's queue.
 */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { freeSlots, nameOf, nextLook, periodOf, slotToWaitFor, type Throttle } from '../domain/throttle.js';
import { SendLineRepository, type SendLine } from '../persistence/send-line.repository.js';
import { SendThrottles } from './send-throttles.port.js';

/** Queues that are checked together, and messages released from each. */
const MOST_LINES = 32;
const MOST_RELEASED = 1_000;

/** A message that needs a slot. */
export interface InNeedOfSlot {
  readonly id: string;
  readonly sourceId: string;
}

/** A source's throttle, and the messages claimed by this transaction that have no slot yet. */
interface Throttled {
  readonly sourceId: string;
  readonly throttle: Throttle;
  readonly besides: readonly string[];
}

@Injectable()
export class SendLines {
  constructor(
    private readonly lines: SendLineRepository,
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
    messages: readonly InNeedOfSlot[],
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
      const granted = await this.admitTo(tx, scope, { sourceId, throttle, besides }, ids.toSorted(), now);
      for (const id of ids) if (!granted.has(id)) waiting.add(id);
    }
    return waiting;
  }

  /** Releases messages from the queues that are due for a check, by the current throttles. */
  async open(tx: Transaction, scope: TenantScope, now: Date): Promise<void> {
    const due = await this.lines.due(tx, scope, now, MOST_LINES);
    if (due.length === 0) return;
    const throttles = await this.throttles.read(
      tx,
      scope,
      due.map(({ sourceId }) => sourceId),
    );
    for (const line of due) await this.look(tx, scope, line, throttles.get(line.sourceId), now);
  }

  private async admitTo(
    tx: Transaction,
    scope: TenantScope,
    throttled: Throttled,
    ids: readonly string[],
    now: Date,
  ): Promise<ReadonlySet<string>> {
    const { sourceId, throttle } = throttled;
    const line = await this.lines.lock(tx, scope, sourceId);
    if (line.lookAt) return new Set();
    const isKnown = line.placesOf === nameOf(throttle) && line.places >= ids.length;
    const free = isKnown ? line.places : await this.free(tx, scope, throttled, now);
    const granted = ids.slice(0, free);
    await this.lines.grant(tx, scope, granted);
    const places = free - granted.length;
    const left = { ...throttled, besides: throttled.besides.filter((id) => !granted.includes(id)) };
    const next = granted.length < ids.length ? await this.pause(tx, scope, left, now) : NOBODY_WAITS;
    await this.lines.store(tx, scope, { sourceId, ...next, places, placesOf: nameOf(throttle) });
    return new Set(granted);
  }

  private async look(
    tx: Transaction,
    scope: TenantScope,
    { sourceId }: SendLine,
    throttle: Throttle | undefined,
    now: Date,
  ): Promise<void> {
    const throttled = throttle && { sourceId, throttle, besides: [] };
    const free = throttled ? await this.free(tx, scope, throttled, now) : MOST_RELEASED;
    const limit = Math.min(free, MOST_RELEASED);
    const hasSlot = throttle !== undefined;
    const released = limit > 0 ? await this.lines.release(tx, scope, { sourceId, limit, hasSlot }, now) : 0;
    const isWaitedIn = await this.lines.isWaitedIn(tx, scope, sourceId);
    const places = throttle ? free - released : 0;
    let next = NOBODY_WAITS;
    if (isWaitedIn)
      next =
        throttled && places === 0
          ? await this.pause(tx, scope, throttled, now)
          : { lookAt: now, opensAt: now };
    const placesOf = throttle ? nameOf(throttle) : '';
    await this.lines.store(tx, scope, { sourceId, ...next, places, placesOf });
  }

  private async free(tx: Transaction, scope: TenantScope, throttled: Throttled, now: Date): Promise<number> {
    const { throttle } = throttled;
    return freeSlots(throttle, await this.lines.use(tx, scope, spanOf(throttled, now)));
  }

  /** When to check a queue without a free slot next, and when its next slot is expected. */
  private async pause(
    tx: Transaction,
    scope: TenantScope,
    throttled: Throttled,
    now: Date,
  ): Promise<Pick<SendLine, 'lookAt' | 'opensAt'>> {
    const { throttle } = throttled;
    const span = spanOf(throttled, now);
    const place = slotToWaitFor(throttle, await this.lines.use(tx, scope, span));
    const usedAt = place === undefined ? undefined : await this.lines.usedAt(tx, scope, { ...span, place });
    const opensAt = usedAt ? new Date(usedAt.getTime() + periodOf(throttle)) : null;
    return { opensAt, lookAt: nextLook(throttle, opensAt, now) };
  }
}

const NOBODY_WAITS: Pick<SendLine, 'lookAt' | 'opensAt'> = { lookAt: null, opensAt: null };

/** The range of a source's slot uses to count, limited to what makes a difference. */
function spanOf({ sourceId, throttle, besides }: Throttled, now: Date) {
  const since = new Date(now.getTime() - periodOf(throttle));
  return { sourceId, since, limit: throttle.limit, besides };
}
