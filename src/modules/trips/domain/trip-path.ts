/**
 * A trip's position in its flow, decision 0015. Only the id of the last step taken is stored. It determines the path
 * through the tree, since a step within a split can only be reached through its branch.
 */
import type { Step } from '../../flows/domain/step.js';
import { listsWithin, stepsWithPaths } from '../../flows/domain/step-tree.js';
import type { Directive } from '../../flows/domain/steps/branch.js';
import type { InnerList } from '../../flows/domain/steps/step-kind.js';

/** The `lastStep` of a trip that has taken none. */
export const BEFORE_FIRST_STEP = 0;

/** A list of steps that the trip is in, the index of the next step, and what follows the end of the list. */
interface PathFrame {
  readonly steps: readonly Step[];
  next: number;
  readonly then: Directive;
}

/** How a path ended: after the last step, or by a skip to the end. */
export type PathEnd = 'finished' | 'skipped_to_end';

/** A trip's path through its flow from its current position. Can be walked once. */
export class TripPath {
  /** The lists that the trip is in, the innermost last. */
  private readonly frames: PathFrame[];
  private endReason: PathEnd = 'finished';

  private constructor(frames: readonly PathFrame[]) {
    this.frames = [...frames];
  }

  /** The path after the last step taken; undefined if the flow has no such step. */
  static after(steps: readonly Step[], lastStep: number): TripPath | undefined {
    if (lastStep === BEFORE_FIRST_STEP) return TripPath.through(steps);
    const frames = framesTo(steps, lastStep, 'continue');
    return frames && new TripPath(frames);
  }

  /** The path through a list of steps, from the first one. */
  static through(steps: readonly Step[]): TripPath {
    return new TripPath([{ steps, next: 0, then: 'continue' }]);
  }

  /** How the path ended, or would end if it has not. */
  get end(): PathEnd {
    return this.endReason;
  }

  /** Moves to the next step; undefined at the end. */
  next(): Step | undefined {
    for (;;) {
      const frame = this.frames.at(-1);
      if (!frame) return undefined;
      const step = frame.steps[frame.next];
      if (step !== undefined) {
        frame.next++;
        return step;
      }
      this.frames.pop();
      if (frame.then === 'skip_to_end') this.skipToEnd();
    }
  }

  /** Enters a branch of the split that `next` has just returned. */
  enter({ steps, then }: Pick<InnerList<Step>, 'steps' | 'then'>): void {
    this.frames.push({ steps, next: 0, then });
  }

  skipToEnd(): void {
    this.frames.length = 0;
    this.endReason = 'skipped_to_end';
  }
}

function framesTo(steps: readonly Step[], id: number, then: Directive): PathFrame[] | undefined {
  for (const [index, step] of steps.entries()) {
    const frame: PathFrame = { steps, next: index + 1, then };
    if (step.id === id) return [frame];
    for (const list of listsWithin(step)) {
      const inner = framesTo(list.steps, id, list.then);
      if (inner) return [frame, ...inner];
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
  const last = stepsWithPaths(steps).find(({ step }) => step.id === lastStep);
  if (!last) return 0;
  return last.depth === 1 ? last.top + 1 : last.top;
}
