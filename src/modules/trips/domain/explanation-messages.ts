/** The sentences that explain a trip's decisions. They name what the flow asks for, never a contact's values. */
import type { JsonObject } from '../../../kernel/json.js';
import { readsAddress } from '../../flows/domain/address-checks.js';
import type { Check, ContactCheck } from '../../flows/domain/check.js';
import type { Step } from '../../flows/domain/step.js';
import { checkLabel } from '../../flows/domain/step-labels.js';
import type { TimelineEntry } from './trip-timeline.js';

/** The explanation of a trail entry. */
export interface ExplainedReason {
  /** A stable code. */
  readonly reason: string;
  readonly detail: string;
}

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
  { outcome, facts = {} }: TimelineEntry,
  step: Step | undefined,
  withValues: boolean,
): ExplainedReason {
  switch (step?.type) {
    case 'update_contact':
      return {
        reason: 'contact_updated',
        detail: `Sets ${Object.keys(step.set).join(', ')} on the contact.`,
      };
    case 'wait':
      return { reason: 'wait', detail: `Waits ${step.duration}, until ${formatValue(facts['resume_at'])}.` };
    case 'send_email':
      return { reason: 'message_asked_for', detail: `Sends the email “${step.templateSlug}”.` };
    case 'condition': {
      const then = outcome === 'skip_to_end' ? 'Skips to the end' : 'Continues';
      if (!withValues && readsAddress(step.check))
        return { reason: 'check_asked', detail: `Checks ${formatWithheldCheck(step.check)}. ${then}.` };
      const holds = facts['holds'] === true;
      return {
        reason: holds ? 'check_holds' : 'check_fails',
        detail: `Checks “${checkLabel(step.check)}”: ${holds ? 'yes' : 'no'}. ${then}.`,
      };
    }
    case 'conditional_split':
      return splitReason(outcome, step.branches, withValues);
    case 'ab_split':
      return {
        reason: 'variant_drawn',
        detail: `Draws ${formatValue(facts['drawn'])} of 100 and takes ${outcome.replace(/^variant /, 'the variant ')}.`,
      };
    case undefined:
      return { reason: outcome, detail: 'The step no longer exists.' };
  }
}

/** Branches count from 0, as in the paths of steps. */
function splitReason(
  outcome: TimelineEntry['outcome'],
  branches: readonly { readonly name?: string; readonly check?: Check }[],
  withValues: boolean,
): ExplainedReason {
  const index = Number(/^branch (\d+)$/.exec(outcome)?.[1] ?? -1);
  const branch = branches[index];
  if (!branch) return { reason: 'no_branch', detail: 'No branch matches. Continues after the split.' };
  const name = branch.name === undefined ? '' : ` (“${branch.name}”)`;
  const basis = formatBranchReason(branch.check, withValues);
  return { reason: 'branch_taken', detail: `Takes branches[${index}]${name}, ${basis}.` };
}

function formatBranchReason(check: Check | undefined, withValues: boolean): string {
  if (!check) return 'since no other branch matches';
  return withValues || !readsAddress(check)
    ? `since it matches: ${checkLabel(check)}`
    : `by ${formatWithheldCheck(check)}`;
}

function formatWithheldCheck({ field }: ContactCheck): string {
  return `the contact’s ${field} (the result requires permission to read contacts)`;
}

/** A value from a trail's facts, as text. */
function formatValue(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '?';
}
