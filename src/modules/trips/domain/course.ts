/**
 * A trip's position in its flow, decision 0015. Only the id of the last step taken is stored. It determines the path
 * through the tree, since a step within a split can only be reached through its branch.
 */
import type { Directive, Step } from '../../flows/domain/step.js';
import { listsWithin, placedSteps, type InnerList } from '../../flows/domain/step-tree.js';

/** The `lastStep` of a trip that has taken none. */
export const BEFORE_FIRST = 0;

/** A list of steps that the trip is in, the index of the next step, and what follows the end of the list. */
interface Way {
  readonly steps: readonly Step[];
  next: number;
  readonly then: Directive;
}

/** How a path ended: after the last step, or by a skip to the end. */
export type CourseEnd = 'finished' | 'skipped_to_end';

/** A trip's path through its flow from its current position. Can be walked once. */
export class Course {
  /** The lists that the trip is in, the innermost last. */
  private readonly ways: Way[];
  private ending: CourseEnd = 'finished';

  private constructor(ways: readonly Way[]) {
    this.ways = [...ways];
  }

  /** The path after the last step taken; undefined if the flow has no such step. */
  static after(steps: readonly Step[], lastStep: number): Course | undefined {
    if (lastStep === BEFORE_FIRST) return Course.through(steps);
    const ways = waysTo(steps, lastStep, 'continue');
    return ways && new Course(ways);
  }

  /** The path through a list of steps, from the first one. */
  static through(steps: readonly Step[]): Course {
    return new Course([{ steps, next: 0, then: 'continue' }]);
  }

  /** How the path ended, or would end if it has not. */
  get end(): CourseEnd {
    return this.ending;
  }

  /** Moves to the next step; undefined at the end. */
  next(): Step | undefined {
    for (;;) {
      const way = this.ways.at(-1);
      if (!way) return undefined;
      const step = way.steps[way.next];
      if (step !== undefined) {
        way.next++;
        return step;
      }
      this.ways.pop();
      if (way.then === 'skip_to_end') this.skipToEnd();
    }
  }

  /** Enters a branch of the split that `next` has just returned. */
  enter({ steps, then }: Pick<InnerList<Step>, 'steps' | 'then'>): void {
    this.ways.push({ steps, next: 0, then });
  }

  skipToEnd(): void {
    this.ways.length = 0;
    this.ending = 'skipped_to_end';
  }
}

function waysTo(steps: readonly Step[], id: number, then: Directive): Way[] | undefined {
  for (const [index, step] of steps.entries()) {
    const way: Way = { steps, next: index + 1, then };
    if (step.id === id) return [way];
    for (const list of listsWithin(step)) {
      const inner = waysTo(list.steps, id, list.then);
      if (inner) return [way, ...inner];
    }
  }
  return undefined;
}

/**
 * The index of the top-level step at which a trip resumes, or within which it currently is, section 2.12. The number of
 * steps if none follows.
 */
export function currentStep(
  steps: readonly Step[],
  { lastStep, status }: { readonly lastStep: number; readonly status: string },
): number {
  if (status === 'completed') return steps.length;
  const last = placedSteps(steps).find(({ step }) => step.id === lastStep);
  if (!last) return 0;
  return last.depth === 1 ? last.top + 1 : last.top;
}
