/**
 * Assigns an id to every step of a flow, section 2.12 and decision 0015. Trips and messages refer to steps by id, so
 * a step keeps its id as long as it can be recognised as the same step.
 */
import { isJsonObject, sameJson } from '../../../kernel/json.js';
import { stepKindOf, type NewStep, type Step } from './step.js';
import { stepsWithPaths } from './step-tree.js';

interface StepSignature {
  readonly path: string;
  readonly type: string;
  /** The content of the step itself, without the steps nested in it. */
  readonly content: unknown;
}

/**
 * Assigns ids to the steps. A step takes the id of the first match: the former step at the same position with equal
 * content; a former step with equal content elsewhere; the former step at the same position with the same type. All
 * others get an id above every known one.
 * @param before the current steps, whose ids are kept.
 * @param last the highest id that a step has ever had; ids up to it are not assigned again.
 */
export function assignStepIds(steps: readonly NewStep[], before: readonly Step[] = [], last = 0): Step[] {
  const unassigned = stepsWithPaths(steps).map(({ step, path }) => signatureOf(step, path));
  const candidates = stepsWithPaths(before).map(({ step, path }) => ({
    ...signatureOf(step, path),
    id: step.id,
  }));
  const ids: (number | undefined)[] = unassigned.map(() => undefined);
  for (const isSame of [isUnchanged, isMoved, isEdited])
    unassigned.forEach((one, index) => {
      const other =
        ids[index] === undefined ? candidates.findIndex((candidate) => isSame(one, candidate)) : -1;
      if (other !== -1) ids[index] = candidates.splice(other, 1)[0]?.id;
    });
  let highest = Math.max(last, highestId(before));
  const assigned = ids.map((id) => id ?? ++highest).values();
  return steps.map((step) => withIds(step, assigned));
}

/** The highest id in a tree; 0 if there is none. */
export function highestId(steps: readonly Step[]): number {
  return stepsWithPaths(steps).reduce((highest, { step }) => Math.max(highest, step.id), 0);
}

type StepMatcher = (one: StepSignature, other: StepSignature) => boolean;

const isMoved: StepMatcher = (one, other) => one.type === other.type && sameJson(one.content, other.content);
const isUnchanged: StepMatcher = (one, other) => one.path === other.path && isMoved(one, other);
const isEdited: StepMatcher = (one, other) => one.path === other.path && one.type === other.type;

function signatureOf(step: NewStep | Step, path: string): StepSignature {
  const { nested } = stepKindOf(step) ?? {};
  const own = nested ? nested.mapLists(step, (list) => ({ ...list, steps: undefined })) : step;
  return { path, type: step.type, content: withoutUndefined({ ...own, id: undefined }) };
}

/** The value without undefined members, which are equivalent to absent ones. */
function withoutUndefined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUndefined);
  if (!isJsonObject(value)) return value;
  const defined = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(defined.map(([name, member]) => [name, withoutUndefined(member)]));
}

/** @param ids in the order of stepsWithPaths. */
function withIds(step: NewStep, ids: Iterator<number>): Step {
  const id = Number(ids.next().value);
  const { nested } = stepKindOf(step) ?? {};
  if (!nested) return { ...step, id } as Step;
  const numbered = nested.mapLists(step, ({ steps, ...list }) => ({
    ...list,
    ...(steps ? { steps: (steps as readonly NewStep[]).map((one) => withIds(one, ids)) } : {}),
  }));
  return { ...numbered, id } as Step;
}
