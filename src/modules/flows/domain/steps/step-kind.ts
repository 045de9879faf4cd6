/**
 * What flows know of one kind of step. Requests write it by a class in input/step.input.ts, and trips take it by a
 * file in trips/domain/steps.
 */
import type { Check } from '../check.js';
import type { BranchKey, Directive } from './branch.js';

export interface StepKind<One> {
  /** The name of the kind in drawings. */
  readonly title: string;
  /** The colour of its box in drawings. */
  readonly colour: string;
  /** The step's own details, shown below the title. */
  detail(step: One): string;
  /**
   * Members, at any depth, that are records with field names, or lists of such records. All others are values, or the
   * author's data.
   */
  readonly records: readonly string[];
  /** The checks of the step, with their paths within it, such as `branches[0].check`. */
  checks?(step: One): readonly CheckWithPath[];
  /** What trips choose between, in order. Absent if they can only continue. */
  branches?(step: One): readonly StepBranch<unknown>[];
  /** The lists of steps within the step. Absent if it contains none. */
  readonly nested?: NestedLists<One>;
}

/** A check and its position, such as `steps[2].branches[0].check`. */
export interface CheckWithPath {
  readonly check: Check;
  readonly path: string;
}

/** One branch of a step: its steps, and where the trip continues after them. */
export interface StepBranch<Inner> {
  readonly way: BranchKey;
  /** The author's name for it; otherwise its check, or a text for the default branch. */
  readonly name: string;
  /** The name as drawings show it, with the share of a variant. */
  readonly label: string;
  readonly steps: readonly Inner[];
  readonly then: Directive;
}

export interface NestedLists<One> {
  /** The member with the lists, as paths name it. */
  readonly member: string;
  /** In order; a list may be empty. */
  lists(step: One): readonly InnerList<unknown>[];
  /** The step with each item of the member replaced. */
  mapLists(step: One, change: (list: StepList) => object): object;
}

/** A list of steps within a split. */
export interface InnerList<Inner> {
  /** Index of the split's branch or variant. */
  readonly index: number;
  readonly steps: readonly Inner[];
  /** Where the trip continues after these steps. */
  readonly then: Directive;
}

/** A branch or a variant, as the step stores it. */
interface StepList {
  readonly steps?: readonly unknown[];
}
