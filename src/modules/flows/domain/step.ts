/**
 * The steps of a flow, section 2.3: a closed union, so a new type of step is a compile error until all code handles
 * it. Splits contain steps, so a flow is a tree. A stored step has an id; a step in a request has none yet.
 */
import type { EmailSendSettings } from '../../../kernel/email-settings.js';
import type { Check } from './check.js';

export interface SendEmailStep {
  readonly type: 'send_email';
  readonly templateSlug: string;
  readonly subject?: string;
  readonly emailSendSettings?: Partial<EmailSendSettings>;
}

export interface WaitStep {
  readonly type: 'wait';
  /** An integer and a unit letter, as kernel/duration reads it. */
  readonly duration: string;
}

export interface UpdateContactStep {
  readonly type: 'update_contact';
  readonly set: Readonly<Record<string, unknown>>;
}

export const DIRECTIVES = ['continue', 'skip_to_end'] as const;
/** Where a trip continues: with the next step, or at the end of the flow. */
export type Directive = (typeof DIRECTIVES)[number];

export interface ConditionStep {
  readonly type: 'condition';
  readonly check: Check;
  /** Absent: continue. */
  readonly onTrue?: Directive;
  readonly onFalse?: Directive;
}

export interface Branch<Inner> {
  readonly name?: string;
  /** Absent only in the last branch, which is the default. */
  readonly check?: Check;
  readonly steps?: readonly Inner[];
  /** Where the trip continues after the branch's steps. Absent: continue, with the step after the split. */
  readonly onTrue?: Directive;
}

/** Takes the first branch whose check passes. If there is none, the trip continues after the split. */
export interface ConditionalSplitStep<Inner> {
  readonly type: 'conditional_split';
  readonly branches: readonly Branch<Inner>[];
}

export interface Variant<Inner> {
  readonly name: string;
  /** Percentage of all trips; the variants add up to 100. At most two decimals. */
  readonly percentage: number;
  readonly steps?: readonly Inner[];
}

export interface AbSplitStep<Inner> {
  readonly type: 'ab_split';
  readonly variants: readonly Variant<Inner>[];
}

export type SingleStep = SendEmailStep | WaitStep | UpdateContactStep | ConditionStep;

/** A step in a request. */
export type NewStep = SingleStep | ConditionalSplitStep<NewStep> | AbSplitStep<NewStep>;

/** Identifies a step within its flow, regardless of changes to other steps: 1 and up. */
export interface Identified {
  readonly id: number;
}

/** A stored step. */
export type Step =
  (SingleStep & Identified) | (ConditionalSplitStep<Step> & Identified) | (AbSplitStep<Step> & Identified);
