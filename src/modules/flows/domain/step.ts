/**
 * The steps of a flow, section 2.3: a closed union, so that a new kind of step is an error until it is handled. Splits
 * hold steps of their own, so a flow is a tree. A stored step has an id; one that comes from a person has none yet.
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
/** Where a trip goes on: with the next step, or behind the flow's last. */
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
  /** Absent in the last branch alone, which is taken when no other is. */
  readonly check?: Check;
  readonly steps?: readonly Inner[];
  /** Where the trip goes on behind the branch's steps. Absent: continue, with what follows the split. */
  readonly onTrue?: Directive;
}

/** The first branch whose check holds is taken; none, and the trip goes on behind the split. */
export interface ConditionalSplitStep<Inner> {
  readonly type: 'conditional_split';
  readonly branches: readonly Branch<Inner>[];
}

export interface Variant<Inner> {
  readonly name: string;
  /** Of all trips; a hundred in all variants. At most two decimals. */
  readonly percentage: number;
  readonly steps?: readonly Inner[];
}

export interface AbSplitStep<Inner> {
  readonly type: 'ab_split';
  readonly variants: readonly Variant<Inner>[];
}

export type SingleStep = SendEmailStep | WaitStep | UpdateContactStep | ConditionStep;

/** A step as a person writes it. */
export type NewStep = SingleStep | ConditionalSplitStep<NewStep> | AbSplitStep<NewStep>;

/** What tells a step from the others of its flow, whatever becomes of those: 1 and up. */
export interface Identified {
  readonly id: number;
}

/** A step as it is stored. */
export type Step =
  (SingleStep & Identified) | (ConditionalSplitStep<Step> & Identified) | (AbSplitStep<Step> & Identified);
