/** What becomes of steps and of trips, as trails keep it and as explanations tell it. */
import type { EmailLogStatus } from '../../delivery/domain/email-log-transitions.js';
import type { Directive } from '../../flows/domain/step.js';

/** What became of a step: as it is written into trails, which are kept as they are. Branches count from 0, as in paths. */
export type StepOutcome =
  'updated' | 'parked' | 'sent' | Directive | `branch ${number}` | 'no branch' | `variant ${string}`;

/** What stands in a trail beside the steps: fates of messages, what people did, ends, and that something has given way. */
export type TrailOutcome =
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
/** What became of it, as it is told; which branch or variant says `way`. `other`: as another release has written it. */
export type DecisionOutcome = (typeof DECISION_OUTCOMES)[number];

export function decisionOutcome(outcome: TrailOutcome | DecisionOutcome): DecisionOutcome {
  if (outcome.startsWith('branch ')) return 'branch';
  if (outcome.startsWith('variant ')) return 'variant';
  if (outcome === 'no branch') return 'no_branch';
  return DECISION_OUTCOMES.find((known) => known === outcome) ?? 'other';
}
