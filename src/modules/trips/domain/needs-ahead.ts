/**
 * What the engine must be told before it can take a trip further: what the steps ask that it may come to before the next
 * wait or message, whichever branches it takes.
 */
import type { Check } from '../../flows/domain/check.js';
import type { Step } from '../../flows/domain/step.js';
import { listsWithin } from '../../flows/domain/step-tree.js';
import { Course } from './course.js';

export interface Needs {
  /** Whether a step ahead changes the contact. */
  readonly changesContact: boolean;
  /** Whether a check ahead asks about the contact or its segments. */
  readonly asksContact: boolean;
  /** Whose latest event is asked about. */
  readonly eventNames: ReadonlySet<string>;
  /** Those of them whose attributes matter. */
  readonly attributesOf: ReadonlySet<string>;
  readonly segmentIds: ReadonlySet<string>;
  /** Whether the attributes of the event that started the trip are asked about. */
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

/** What the steps behind this one need; of a flow that cannot be read nothing, since the trip fails in any case. */
export function needsAhead(steps: readonly Step[], lastStep: number): Needs {
  let ofFlow = known.get(steps);
  if (!ofFlow) known.set(steps, (ofFlow = new Map<number, Needs>()));
  let needs = ofFlow.get(lastStep);
  if (!needs) ofFlow.set(lastStep, (needs = find(steps, lastStep)));
  return needs;
}

/** Asked for every trip at every step, and the same for all that stand there. */
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
