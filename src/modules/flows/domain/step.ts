/**
 * The steps of a flow, section 2.3: a closed union, so a new kind of step is a compile error until all code handles
 * it. Splits contain steps, so a flow is a tree. A stored step has an id; a step in a request has none yet.
 */
import { abSplit, type AbSplitStep } from './steps/ab-split.js';
import { condition, type ConditionStep } from './steps/condition.js';
import { conditionalSplit, type ConditionalSplitStep } from './steps/conditional-split.js';
import { sendEmail, type SendEmailStep } from './steps/send-email.js';
import type { StepKind } from './steps/step-kind.js';
import { updateContact, type UpdateContactStep } from './steps/update-contact.js';
import { wait, type WaitStep } from './steps/wait.js';

type SingleStep = SendEmailStep | WaitStep | UpdateContactStep | ConditionStep;

/** A step in a request. */
export type NewStep = SingleStep | ConditionalSplitStep<NewStep> | AbSplitStep<NewStep>;

/** Identifies a step within its flow, regardless of changes to other steps: 1 and up. */
export interface Identified {
  readonly id: number;
}

/** A stored step. */
export type Step =
  (SingleStep & Identified) | (ConditionalSplitStep<Step> & Identified) | (AbSplitStep<Step> & Identified);

export type StepType = Step['type'];
export type StepOf<Type extends StepType> = Extract<Step, { readonly type: Type }>;

/** In the order in which the API documents list them. */
export const STEP_KINDS: { readonly [Type in StepType]: StepKind<StepOf<Type>> } = {
  send_email: sendEmail,
  wait,
  update_contact: updateContact,
  condition,
  conditional_split: conditionalSplit,
  ab_split: abSplit,
};
export const STEP_TYPES = Object.keys(STEP_KINDS) as readonly StepType[];

/** A map, since stored steps may have any type, even one that is the name of a member of all objects. */
const kindsByType: ReadonlyMap<string, StepKind<NewStep | Step>> = new Map(Object.entries(STEP_KINDS));

/** Undefined for a step that other software or another release has stored. */
export function stepKindOf({ type }: Pick<Step, 'type'>): StepKind<NewStep | Step> | undefined {
  return kindsByType.get(type);
}
