/**
 * Where a trip stands in its flow, decision 0015: all that is kept of it is the id of the step that it took last. The
 * path through the tree follows from the step's place, since a step within a split was reached through its branch and
 * no other way.
 */
import type { Directive, Step } from '../../flows/domain/step.js';
import { listsWithin, placedSteps, type InnerList } from '../../flows/domain/step-tree.js';

/** The `lastStep` of a trip that has taken none. */
export const BEFORE_FIRST = 0;

/** A list of steps that the trip is in, the place of the step that comes next, and what follows its end. */
interface Way {
  readonly steps: readonly Step[];
  next: number;
  readonly then: Directive;
}

/** How a course ended: behind the last step, or skipped to there. */
export type CourseEnd = 'finished' | 'skipped_to_end';

/** The way of a trip through its flow from where it stands; walked once. */
export class Course {
  /** The lists that the trip is in, the innermost last. */
  private readonly ways: Way[];
  private ending: CourseEnd = 'finished';

  private constructor(ways: readonly Way[]) {
    this.ways = [...ways];
  }

  /** The course behind the step that was taken last; undefined where the flow has no such step. */
  static after(steps: readonly Step[], lastStep: number): Course | undefined {
    if (lastStep === BEFORE_FIRST) return Course.through(steps);
    const ways = waysTo(steps, lastStep, 'continue');
    return ways && new Course(ways);
  }

  /** The course through a list of steps, from its first one. */
  static through(steps: readonly Step[]): Course {
    return new Course([{ steps, next: 0, then: 'continue' }]);
  }

  /** How the course ended; while it has not, how it would. */
  get end(): CourseEnd {
    return this.ending;
  }

  /** Goes to the next step; undefined at the end. */
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

  /** Goes into a branch of the split that `next` has just given. */
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
 * The index of the flow's own step to which a trip resumes, or within which it stands, section 2.12; behind the last
 * when the trip is completed.
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
