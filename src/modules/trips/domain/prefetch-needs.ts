/**
 * The data that the engine needs before it can advance a trip: what is checked by the steps that it may reach before
 * the next wait or message, whichever branches it takes.
 */
import type { Check } from '../../flows/domain/check.js';
import type { Step } from '../../flows/domain/step.js';
import { listsWithin } from '../../flows/domain/step-tree.js';
import type { NeedsCollector } from './steps/step-handler.js';
import { stepHandlerOf } from './steps/step-handlers.js';
import { TripPath } from './trip-path.js';

export interface PrefetchNeeds {
  /** Whether a step ahead changes the contact. */
  readonly changesContact: boolean;
  /** Whether a check ahead concerns the contact or its segments. */
  readonly readsContact: boolean;
  /** Names of events whose latest occurrence is checked. */
  readonly eventNames: ReadonlySet<string>;
  /** The names of events whose attributes are checked. */
  readonly attributeEventNames: ReadonlySet<string>;
  readonly segmentIds: ReadonlySet<string>;
  /** Whether a check concerns the attributes of the event that started the trip. */
  readonly readsTriggerEvent: boolean;
}

class CollectedNeeds implements PrefetchNeeds, NeedsCollector {
  changesContact = false;
  readsContact = false;
  readsTriggerEvent = false;
  readonly eventNames = new Set<string>();
  readonly attributeEventNames = new Set<string>();
  readonly segmentIds = new Set<string>();

  add(check: Check): void {
    switch (check.source) {
      case 'latest_event':
        this.eventNames.add(check.eventName);
        if (check.attributes !== undefined) this.attributeEventNames.add(check.eventName);
        break;
      case 'contact':
        this.readsContact = true;
        break;
      case 'segment':
        this.readsContact = true;
        this.segmentIds.add(check.segmentId.toLowerCase());
        break;
      case 'trigger_event':
        this.readsTriggerEvent = true;
    }
  }
}

export const NO_PREFETCH_NEEDS: PrefetchNeeds = new CollectedNeeds();

/** What the steps after this one need. Nothing for a flow that cannot be read, since the trip fails in any case. */
export function prefetchNeedsOf(steps: readonly Step[], lastStep: number): PrefetchNeeds {
  let needsByStep = cache.get(steps);
  if (!needsByStep) cache.set(steps, (needsByStep = new Map<number, PrefetchNeeds>()));
  let needs = needsByStep.get(lastStep);
  if (!needs) needsByStep.set(lastStep, (needs = collectNeeds(steps, lastStep)));
  return needs;
}

/** Cached, since it is needed for every trip at every step and is the same for all trips at a step. */
const cache = new WeakMap<readonly Step[], Map<number, PrefetchNeeds>>();

function collectNeeds(steps: readonly Step[], lastStep: number): PrefetchNeeds {
  const needs = new CollectedNeeds();
  try {
    const path = TripPath.after(steps, lastStep);
    if (path) collectAlong(path, needs);
  } catch {
    return NO_PREFETCH_NEEDS;
  }
  return needs;
}

/** What follows a split is explored once, whichever branch leads there. */
function collectAlong(path: TripPath, needs: CollectedNeeds): void {
  for (;;) {
    const step = path.next();
    if (step === undefined) return;
    const handler = stepHandlerOf(step);
    if (handler?.stops) return;
    handler?.addNeeds?.(step, needs);
    for (const { steps } of listsWithin(step)) collectAlong(TripPath.through(steps), needs);
  }
}
