/**
 * Messages of throttled flows get their slots here: those that are claimed while nobody waits from the slots that are free,
 * those that wait in the order of their ids, as slots become free. Whoever gives slots holds the lock of the flow's line.
 */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { freeSlots, nameOf, nextLook, periodOf, slotToWaitFor, type Throttle } from '../domain/throttle.js';
import type { HeldMessage } from '../persistence/send-gates.repository.js';
import { SendLineRepository, type SendLine } from '../persistence/send-line.repository.js';
import { SendThrottles } from './send-throttles.port.js';

/** Lines looked at in one go, and messages let out of each. */
const MOST_LINES = 32;
const MOST_RELEASED = 1_000;

/** Whoever waits in a line is not due by himself. */
export const WITHIN_LINE = new Date('9999-12-31T00:00:00Z');

/** A message that needs a slot. */
export interface InNeedOfSlot {
  readonly id: string;
  readonly flowId: string;
}

@Injectable()
export class SendLines {
  constructor(
    private readonly lines: SendLineRepository,
    private readonly throttles: SendThrottles,
  ) {}

  /** Gives slots to messages that the transaction has taken in hand; gives those that have to wait for theirs. */
  async admit(
    tx: Transaction,
    scope: TenantScope,
    messages: readonly InNeedOfSlot[],
    now: Date,
  ): Promise<HeldMessage[]> {
    const flowIds = [...new Set(messages.map(({ flowId }) => flowId))];
    const throttles = await this.throttles.of(tx, scope, flowIds);
    const held: HeldMessage[] = [];
    // In one order everywhere, so that no two transactions wait for each other's lines.
    for (const flowId of flowIds.toSorted()) {
      const throttle = throttles.get(flowId);
      if (!throttle) continue;
      const ids = messages.filter((message) => message.flowId === flowId).map(({ id }) => id);
      const granted = await this.admitTo(tx, scope, { flowId, throttle, ids: ids.toSorted() }, now);
      const waiting = ids.filter((id) => !granted.has(id));
      held.push(...waiting.map((id) => ({ id, gate: 'throttle' as const, until: WITHIN_LINE })));
    }
    return held;
  }

  /** Lets messages out of the lines that are to be looked at. */
  async open(tx: Transaction, scope: TenantScope, now: Date): Promise<void> {
    const due = await this.lines.due(tx, scope, now, MOST_LINES);
    if (due.length === 0) return;
    const throttles = await this.throttles.of(
      tx,
      scope,
      due.map(({ flowId }) => flowId),
    );
    for (const line of due) await this.look(tx, scope, line, throttles.get(line.flowId), now);
  }

  private async admitTo(
    tx: Transaction,
    scope: TenantScope,
    {
      flowId,
      throttle,
      ids,
    }: { readonly flowId: string; readonly throttle: Throttle; readonly ids: readonly string[] },
    now: Date,
  ): Promise<ReadonlySet<string>> {
    const line = await this.lines.lock(tx, scope, flowId);
    if (line.lookAt) return new Set();
    const isKnown = line.placesOf === nameOf(throttle) && line.places >= ids.length;
    const free = isKnown ? line.places : await this.free(tx, scope, flowId, throttle, now);
    const granted = ids.slice(0, free);
    await this.lines.grant(tx, scope, granted);
    const places = free - granted.length;
    const next =
      granted.length < ids.length ? await this.pause(tx, scope, flowId, throttle, now) : NOBODY_WAITS;
    await this.lines.store(tx, scope, { flowId, ...next, places, placesOf: nameOf(throttle) });
    return new Set(granted);
  }

  private async look(
    tx: Transaction,
    scope: TenantScope,
    { flowId }: SendLine,
    throttle: Throttle | undefined,
    now: Date,
  ): Promise<void> {
    const free = throttle ? await this.free(tx, scope, flowId, throttle, now) : MOST_RELEASED;
    const limit = Math.min(free, MOST_RELEASED);
    const hasSlot = throttle !== undefined;
    const released = limit > 0 ? await this.lines.release(tx, scope, { flowId, limit, hasSlot }, now) : 0;
    const isWaitedIn = await this.lines.isWaitedIn(tx, scope, flowId);
    const places = throttle ? free - released : 0;
    let next = NOBODY_WAITS;
    if (isWaitedIn)
      next =
        throttle && places === 0
          ? await this.pause(tx, scope, flowId, throttle, now)
          : { lookAt: now, opensAt: now };
    const placesOf = throttle ? nameOf(throttle) : '';
    await this.lines.store(tx, scope, { flowId, ...next, places, placesOf });
  }

  private async free(
    tx: Transaction,
    scope: TenantScope,
    flowId: string,
    throttle: Throttle,
    now: Date,
  ): Promise<number> {
    return freeSlots(throttle, await this.lines.use(tx, scope, flowId, periodBefore(now, throttle)));
  }

  /** When a line without a free slot is looked at next, and when a slot is expected. */
  private async pause(
    tx: Transaction,
    scope: TenantScope,
    flowId: string,
    throttle: Throttle,
    now: Date,
  ): Promise<Pick<SendLine, 'lookAt' | 'opensAt'>> {
    const since = periodBefore(now, throttle);
    const place = slotToWaitFor(throttle, await this.lines.use(tx, scope, flowId, since));
    const usedAt =
      place === undefined ? undefined : await this.lines.usedAt(tx, scope, { flowId, since, place });
    const opensAt = usedAt ? new Date(usedAt.getTime() + periodOf(throttle)) : null;
    return { opensAt, lookAt: nextLook(throttle, opensAt, now) };
  }
}

const NOBODY_WAITS: Pick<SendLine, 'lookAt' | 'opensAt'> = { lookAt: null, opensAt: null };

function periodBefore(now: Date, throttle: Throttle): Date {
  return new Date(now.getTime() - periodOf(throttle));
}
