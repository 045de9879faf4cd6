/** The outcomes of steps and trips, as trails store them and as explanations report them. */
import type { EmailLogStatus } from '../../delivery/domain/email-log-transitions.js';
import { branchKeyOf, type BranchKey, type Directive } from '../../flows/domain/steps/branch.js';

/** The outcome of a step, as written into trails, which are never rewritten. Branches count from 0, as in paths. */
export type StepOutcome =
  'updated' | 'parked' | 'sent' | Directive | `branch ${number}` | 'no branch' | `variant ${string}`;

/** Other outcomes in a trail: those of messages, manual actions, ends, and a gap where entries were removed. */
export type HistoryOutcome =
  | StepOutcome
  | `message_${EmailLogStatus}`
  | 'failed'
  | 'ended'
  | 'wait_skipped'
  | 'retried'
  | 'sent_again'
  | 'gap';

export const DECISION_OUTCOMES = [
  'entered',
  'updated',
  'parked',
  'wait_skipped',
  'resumed',
  'sent',
  'message_sent',
  'message_suppressed',
  'message_failed',
  'message_unknown',
  'message_cancelled',
  'sent_again',
  'continue',
  'skip_to_end',
  'branch',
  'no_branch',
  'variant',
  'converted',
  'retried',
  'failed',
  'ended',
  'completed',
  'gap',
  'other',
] as const;
/** The outcome as explanations report it; `way` gives the branch or variant. `other`: written by another release. */
export type DecisionOutcome = (typeof DECISION_OUTCOMES)[number];

export function decisionOutcome(outcome: HistoryOutcome | DecisionOutcome): DecisionOutcome {
  if (outcome.startsWith('branch ')) return 'branch';
  if (outcome.startsWith('variant ')) return 'variant';
  if (outcome === 'no branch') return 'no_branch';
  return DECISION_OUTCOMES.find((known) => known === outcome) ?? 'other';
}

/** The branch that the outcome names; null if it names none by its index. */
export function branchOfOutcome(outcome: string): BranchKey | null {
  if (outcome === 'no branch') return 'none';
  const [, branch] = /^branch (\d+)$/.exec(outcome) ?? [];
  return branch === undefined ? null : branchKeyOf(Number(branch));
}
