/**
 * Steps and settings of a flow as they are written, section 2.3: under the names of REST, which are also those of the
 * stored rows. What a step sets on a contact, and what a check compares with, is the author's own and stays as it is. A
 * stored step has its id besides, which REST does not show.
 */
import { isJsonObject } from '../../../kernel/json.js';
import { camelKeys, snakeKeys, type SnakeKeys } from '../../../kernel/letter-case.js';
import type { FlowSettings } from './flow.js';
import type { NewStep, Step } from './step.js';

export type WrittenSettings = SnakeKeys<FlowSettings>;

/** A step, or a part of one, under the names of REST. */
export type WrittenStep = Readonly<Record<string, unknown>>;

/** The step as REST writes it, without its id. */
export function writtenStep(step: NewStep | Step): WrittenStep {
  return inNames(isJsonObject(step) ? withoutId(step) : step, snakeKeys, writtenStep);
}

/** A member that is deleted would leave an object that is slow to read. */
function withoutId({ id: _id, ...step }: WrittenStep): WrittenStep {
  return step;
}

/** The step as it is stored. */
export function storedStep(step: Step): WrittenStep {
  return inNames(step, snakeKeys, storedStep);
}

/**
 * The step that was stored so. It is trusted as far as it can be: what another hand has put into a row comes out as it
 * is, for whoever takes the step to judge.
 */
export function stepOf(stored: WrittenStep): Step {
  return inNames(stored, camelKeys, stepOf) as unknown as Step;
}

/** The steps of a flow that were stored so; what is no list is a step that nobody can take. */
export function stepsOf(stored: unknown): readonly Step[] {
  return (Array.isArray(stored) ? (stored as readonly WrittenStep[]) : [{}]).map(stepOf);
}

type Renaming = (record: object) => object;

/** Members of a step that are records of our own, or lists of them, in either spelling. */
const RECORDS = new Set(['emailSendSettings', 'email_send_settings', 'check', 'branches', 'variants']);

function inNames(step: object, rename: Renaming, inner: (step: never) => unknown): WrittenStep {
  if (!isJsonObject(step)) return step as WrittenStep;
  const named = rename(step) as Record<string, unknown>;
  for (const name of Object.keys(named)) {
    const value = named[name];
    // Most members are texts and numbers.
    if (typeof value !== 'object' || value === null) continue;
    const record = (one: unknown): unknown => (isJsonObject(one) ? inNames(one, rename, inner) : one);
    if (name === 'steps' && Array.isArray(value)) named[name] = value.map((one) => inner(one as never));
    else if (RECORDS.has(name)) named[name] = Array.isArray(value) ? value.map(record) : record(value);
  }
  return named;
}

export function writtenSettings(settings: FlowSettings): WrittenSettings {
  return snakeKeys(settings);
}

/** The settings that were written so. */
export function settingsOf(written: WrittenSettings): FlowSettings {
  return camelKeys(written);
}
