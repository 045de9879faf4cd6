/** The sentences that explain a trip's decisions. They name what the flow asks for, never a contact's values. */
import type { JsonObject } from '../../../kernel/json.js';
import type { Step } from '../../flows/domain/step.js';
import { formatValue, type ExplainedReason } from './explained-reason.js';
import { stepHandlerOf } from './steps/step-handlers.js';
import type { TimelineEntry } from './trip-timeline.js';

/** Why trips are over, and why they could not continue. */
const END_MESSAGES: Readonly<Record<string, string>> = {
  finished: 'It went through all of its steps.',
  skipped_to_end: 'A check sent it to the end of the flow.',
  flow_stopped: 'Its flow was stopped.',
  contact_deleted: 'Its contact was deleted.',
  goal_conversion: 'Its contact reached a goal that ends the trip.',
  ended_by_hand: 'A user ended it.',
  definition_missing: 'The version of the flow that it follows no longer exists.',
  contact_missing: 'Its contact does not exist.',
  invalid_step: 'Its next step is stored in an invalid form.',
};

export function formatEndReason(reason: string): string {
  return END_MESSAGES[reason] ?? 'It has ended.';
}

/** The explanation of an entry that is not a step's decision. */
export function tripEventReason({ outcome, facts = {} }: TimelineEntry): ExplainedReason | undefined {
  const reason = formatValue(facts['reason']);
  const by = facts['by'] === undefined ? '' : ` By ${formatValue(facts['by'])}.`;
  switch (outcome) {
    case 'entered':
      return {
        reason: 'trigger_event',
        detail: `Entered version ${formatValue(facts['flow_version'])} of the flow with the event ${formatValue(facts['event_id'])}.`,
      };
    case 'resumed':
      return { reason: 'wait_over', detail: 'The wait ended.' };
    case 'converted':
      return { reason: 'goal_reached', detail: `Converted: ${formatGoal(facts)}.` };
    case 'completed':
      return { reason, detail: formatEndReason(reason) };
    case 'failed':
      return { reason, detail: `The trip cannot continue. ${formatEndReason(reason)}` };
    case 'ended':
      return {
        reason,
        detail: `The trip was ended. ${facts['goal_id'] === undefined ? formatEndReason(reason) : `Its contact reached a goal that ends the trip: ${formatGoal(facts)}.`}${by}`,
      };
    case 'wait_skipped':
      return { reason: 'skipped_by_hand', detail: `A user ended the wait early.${by}` };
    case 'retried':
      return { reason: 'retried_by_hand', detail: `A user retried the trip.${by}` };
    case 'sent_again':
      return {
        reason: 'sent_again_by_hand',
        detail: `A user had the email of the step sent again.${by}`,
      };
    case 'gap':
      return { reason: 'trail_shortened', detail: 'Decisions in between are no longer stored.' };
    default:
      return undefined;
  }
}

function formatGoal(facts: JsonObject): string {
  const [goal, name, id] = [facts['goal_name'], facts['event_name'], facts['event_id']].map(formatValue);
  return `the goal “${goal}”, with the event “${name}” ${id}`;
}

/**
 * The explanation of a step's decision.
 * @param withValues whether the caller may see contacts. If not, a check of an address is explained without its
 * result.
 */
export function stepDecisionReason(
  entry: TimelineEntry,
  step: Step | undefined,
  withValues: boolean,
): ExplainedReason {
  return (
    (step && stepHandlerOf(step)?.reason(step, entry, withValues)) ?? {
      reason: entry.outcome,
      detail: 'The step no longer exists.',
    }
  );
}
