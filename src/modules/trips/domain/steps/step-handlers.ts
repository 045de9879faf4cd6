/** The handler of each kind of step. */
import type { Step, StepOf, StepType } from '../../../flows/domain/step.js';
import { abSplit } from './ab-split.js';
import { condition } from './condition.js';
import { conditionalSplit } from './conditional-split.js';
import { sendEmail } from './send-email.js';
import type { StepHandler } from './step-handler.js';
import { updateContact } from './update-contact.js';
import { wait } from './wait.js';

const STEP_HANDLERS: { readonly [Type in StepType]: StepHandler<StepOf<Type>> } = {
  send_email: sendEmail,
  wait,
  update_contact: updateContact,
  condition,
  conditional_split: conditionalSplit,
  ab_split: abSplit,
};

/** A map, since stored steps may have any type, even one that is the name of a member of all objects. */
const handlersByType: ReadonlyMap<string, StepHandler<Step>> = new Map(Object.entries(STEP_HANDLERS));

/** Undefined for a step that other software or another release has stored. */
export function stepHandlerOf(step: Step): StepHandler<Step> | undefined {
  return handlersByType.get(step.type);
}
