/**
 * Explains a trip: what was decided, in order, with the reason and the inputs; what it waits for now; why it is over.
 * Based only on the trip's row, its trail, the steps of its version, its messages and conversions.
 */
import type { JsonObject } from '../../../kernel/json.js';
import { maskerFor } from '../../contacts/domain/masking.js';
import type { Step } from '../../flows/domain/step.js';
import { stepsWithPaths } from '../../flows/domain/step-tree.js';
import { branchesOf } from '../../flows/domain/step-branches.js';
import { shownFacts, branchTaken } from './explanation-facts.js';
import { timelineOf, type TimelineEntry, type TripConversion } from './trip-timeline.js';
import { formatEndReason, tripEventReason, stepDecisionReason } from './explanation-messages.js';
import type { ExplainedReason } from './explained-reason.js';
import { messageFacts, formatMessageState, type TripMessage } from './trip-message.js';
import { decisionOutcome, type DecisionOutcome } from './outcomes.js';
import type { TripWithHistory } from './trip-with-history.js';
import { waitOf, type TripDeadLetter, type Waiting } from './waiting.js';
import type { BranchKey } from '../../flows/domain/steps/branch.js';

export interface ExplanationInputs {
  readonly trip: TripWithHistory;
  /** Of the version that the trip follows; undefined if it is gone. */
  readonly steps: readonly Step[] | undefined;
  /** In the order in which they were requested. */
  readonly messages: readonly TripMessage[];
  /** In the order in which they were recorded. */
  readonly conversions: readonly TripConversion[];
  readonly deadLetter: TripDeadLetter | undefined;
  /** Whether the caller may see the contact's values. */
  readonly withValues: boolean;
}

export interface ExplainedDecision extends ExplainedReason {
  readonly at: Date;
  /** Null for entries that belong to no step. */
  readonly stepId: number | null;
  /** The step's position in its version, such as `steps[2].branches[0].steps[1]`. */
  readonly stepPath: string | null;
  readonly stepType: Step['type'] | null;
  readonly outcome: DecisionOutcome;
  /** The branch that a condition or a split took, and its label; null for other entries. */
  readonly way: BranchKey | null;
  readonly wayName: string | null;
  readonly facts: JsonObject;
}

export interface ExplainedMessage extends TripMessage {
  readonly stepPath: string | null;
  readonly detail: string;
  readonly facts: JsonObject;
}

export interface Explanation {
  readonly decisions: readonly ExplainedDecision[];
  readonly messages: readonly ExplainedMessage[];
  /** Null if the trip is over. */
  readonly waitsFor: Waiting | null;
  readonly end: (ExplainedReason & { readonly at: Date }) | null;
}

/** Values that flows ask for or set may be addresses. */
const masked = maskerFor(null);

export function explain(inputs: ExplanationInputs, now: Date): Explanation {
  const stepsById = new Map(stepsWithPaths(inputs.steps ?? []).map((located) => [located.step.id, located]));
  const { trip, messages, withValues } = inputs;
  const explainEntry = (entry: TimelineEntry): ExplainedDecision => {
    const located = stepsById.get(entry.stepId);
    const message = messageOf(entry, messages);
    const explained =
      tripEventReason(entry) ??
      messageOutcomeReason(entry, message) ??
      stepDecisionReason(entry, located?.step, withValues);
    const way = branchTaken(entry, located?.step, withValues);
    const wayName = (located && branchesOf(located.step)?.find((one) => one.way === way)?.name) ?? null;
    const shown = {
      ...explained,
      wayName,
      facts: { ...shownFacts(entry, located?.step, withValues), ...(message && messageFacts(message)) },
    };
    return {
      at: entry.at,
      stepId: entry.stepId === 0 ? null : entry.stepId,
      stepPath: located?.path ?? null,
      stepType: located?.step.type ?? null,
      outcome: decisionOutcome(entry.outcome),
      way,
      ...(withValues ? shown : masked(shown)),
    };
  };
  const { completedAt, endedReason, status } = trip;
  return {
    decisions: timelineOf(trip, inputs.conversions).map(explainEntry),
    messages: messages.map((message) => ({
      ...message,
      stepPath: stepsById.get(message.stepId)?.path ?? null,
      detail: formatMessageState(message),
      facts: messageFacts(message),
    })),
    waitsFor: completedAt === null ? waitOf(inputs, now) : null,
    end:
      completedAt === null
        ? null
        : { at: completedAt, reason: endedReason ?? status, detail: formatEndReason(endedReason ?? '') },
  };
}

/** The message whose outcome the entry reports, unless the entry reports none or the outcome has changed since. */
function messageOf(
  { outcome, stepId }: TimelineEntry,
  messages: readonly TripMessage[],
): TripMessage | undefined {
  const message = messages.find((one) => one.stepId === stepId && !one.isRepetition);
  return message && outcome === `message_${message.status}` ? message : undefined;
}

function messageOutcomeReason(
  { outcome }: TimelineEntry,
  message: TripMessage | undefined,
): ExplainedReason | undefined {
  const [, status] = /^message_(\w+)$/.exec(outcome) ?? [];
  if (status === undefined) return undefined;
  if (message)
    return {
      reason: message.suppressedReason ?? message.errorCode ?? outcome,
      detail: formatMessageState(message),
    };
  const outcomeText = status === 'unknown' ? 'of unknown outcome' : status;
  return { reason: outcome, detail: `The email of the step was ${outcomeText}.` };
}
