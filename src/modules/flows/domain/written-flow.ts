/**
 * The external format of a flow's steps and settings, section 2.3: the field names of REST, which the stored rows use
 * too. What a step sets on a contact and what a check compares with is the author's data and is not converted. A
 * stored step also has its id, which REST does not show.
 */
import { isJsonObject } from '../../../kernel/json.js';
import { camelKeys, snakeCase, snakeKeys, type SnakeKeys } from '../../../kernel/letter-case.js';
import type { FlowSettings } from './flow.js';
import { STEP_KINDS, type NewStep, type Step } from './step.js';

export type WrittenSettings = SnakeKeys<FlowSettings>;

/** A step, or a part of one, with the field names of REST. */
export type WrittenStep = Readonly<Record<string, unknown>>;

/** The step in REST format, without its id. */
export function writtenStep(step: NewStep | Step): WrittenStep {
  return convertKeys(isJsonObject(step) ? withoutId(step) : step, snakeKeys, writtenStep);
}

/** Deleting the member instead would make the object slow to read. */
function withoutId({ id: _id, ...step }: WrittenStep): WrittenStep {
  return step;
}

/** The step in stored format. */
export function storedStep(step: Step): WrittenStep {
  return convertKeys(step, snakeKeys, storedStep);
}

/**
 * Parses a stored step. It trusts the row: content that other software wrote is returned unchanged, and the code that
 * runs the step must validate it.
 */
export function stepOf(stored: WrittenStep): Step {
  return convertKeys(stored, camelKeys, stepOf) as unknown as Step;
}

/** Parses the stored steps of a flow; a value that is not a list becomes one step that cannot be run. */
export function stepsOf(stored: unknown): readonly Step[] {
  return (Array.isArray(stored) ? (stored as readonly WrittenStep[]) : [{}]).map(stepOf);
}

type KeyConverter = (record: object) => object;

/** Members of a step whose field names are converted, or lists of such members, in both spellings. */
const RECORDS: ReadonlySet<string> = new Set(
  Object.values(STEP_KINDS).flatMap(({ records }) => records.flatMap((name) => [name, snakeCase(name)])),
);

function convertKeys(step: object, convert: KeyConverter, inner: (step: never) => unknown): WrittenStep {
  if (!isJsonObject(step)) return step as WrittenStep;
  const converted = convert(step) as Record<string, unknown>;
  for (const name of Object.keys(converted)) {
    const value = converted[name];
    // Most members are strings and numbers.
    if (typeof value !== 'object' || value === null) continue;
    const record = (one: unknown): unknown => (isJsonObject(one) ? convertKeys(one, convert, inner) : one);
    if (name === 'steps' && Array.isArray(value)) converted[name] = value.map((one) => inner(one as never));
    else if (RECORDS.has(name)) converted[name] = Array.isArray(value) ? value.map(record) : record(value);
  }
  return converted;
}

export function writtenSettings(settings: FlowSettings): WrittenSettings {
  return snakeKeys(settings);
}

/** Parses settings in REST format. */
export function settingsOf(written: WrittenSettings): FlowSettings {
  return camelKeys(written);
}
