/**
 * The data that the engine needs before it can advance a trip: what is checked by the steps that it may reach before
 * the next wait or message, whichever branches it takes.
 */
import type { Check } from '../../flows/domain/check.js';
import type { Step } from '../../flows/domain/step.js';
import { listsWithin } from '../../flows/domain/step-tree.js';
import { Course } from './course.js';

export interface Needs {
  /** Whether a step ahead changes the contact. */
  readonly changesContact: boolean;
  /** Whether a check ahead concerns the contact or its segments. */
  readonly asksContact: boolean;
  /** Names of events whose latest occurrence is checked. */
  readonly eventNames: ReadonlySet<string>;
  /** The names of events whose attributes are checked. */
  readonly attributesOf: ReadonlySet<string>;
  readonly segmentIds: ReadonlySet<string>;
  /** Whether a check concerns the attributes of the event that started the trip. */
  readonly asksTrigger: boolean;
}

class NeedsFound implements Needs {
  changesContact = false;
  asksContact = false;
  asksTrigger = false;
  readonly eventNames = new Set<string>();
  readonly attributesOf = new Set<string>();
  readonly segmentIds = new Set<string>();

  add(check: Check): void {
    switch (check.source) {
      case 'latest_event':
        this.eventNames.add(check.eventName);
        if (check.attributes !== undefined) this.attributesOf.add(check.eventName);
        break;
      case 'contact':
        this.asksContact = true;
        break;
      case 'segment':
        this.asksContact = true;
        this.segmentIds.add(check.segmentId.toLowerCase());
        break;
      case 'trigger_event':
        this.asksTrigger = true;
    }
  }
}

export const NO_NEEDS: Needs = new NeedsFound();

/** What the steps after this one need. Nothing for a flow that cannot be read, since the trip fails in any case. */
export function needsAhead(steps: readonly Step[], lastStep: number): Needs {
  let ofFlow = known.get(steps);
  if (!ofFlow) known.set(steps, (ofFlow = new Map<number, Needs>()));
  let needs = ofFlow.get(lastStep);
  if (!needs) ofFlow.set(lastStep, (needs = find(steps, lastStep)));
  return needs;
}

/** Cached, since it is needed for every trip at every step and is the same for all trips at a step. */
const known = new WeakMap<readonly Step[], Map<number, Needs>>();

function find(steps: readonly Step[], lastStep: number): Needs {
  const needs = new NeedsFound();
  try {
    const course = Course.after(steps, lastStep);
    if (course) explore(course, needs);
  } catch {
    return NO_NEEDS;
  }
  return needs;
}

/** What follows a split is explored once, whichever branch leads there. */
function explore(course: Course, needs: NeedsFound): void {
  for (;;) {
    const step = course.next();
    if (step === undefined) return;
    switch (step.type) {
      case 'wait':
      case 'send_email':
        return;
      case 'update_contact':
        needs.changesContact = true;
        break;
      case 'condition':
        needs.add(step.check);
        break;
      case 'conditional_split':
        for (const { check } of step.branches) if (check) needs.add(check);
        break;
      case 'ab_split':
    }
    for (const { steps } of listsWithin(step)) explore(Course.through(steps), needs);
  }
}
