/**
 * Explains a trip: what was decided, in order, with the reason and the inputs; what it waits for now; why it is over.
 * Based only on the trip's row, its trail, the steps of its version, its messages and conversions.
 */
import type { JsonObject } from '../../../kernel/json.js';
import { maskerFor } from '../../contacts/domain/masking.js';
import type { Step } from '../../flows/domain/step.js';
import { placedSteps } from '../../flows/domain/step-tree.js';
import { waysOf, type WayKey } from '../../flows/domain/step-ways.js';
import { shownFacts, wayTaken } from './explanation-facts.js';
import { storyOf, type StoryEntry, type TripConversion } from './explanation-story.js';
import { endWords, outsideWords, stepWords, type Told } from './explanation-words.js';
import { messageFacts, messageWords, type TripMessage } from './message-words.js';
import { decisionOutcome, type DecisionOutcome } from './outcomes.js';
import type { KeptTrip } from './kept-trip.js';
import { waitOf, type SetAsideTrip, type Waiting } from './waiting.js';

export interface ExplanationFacts {
  readonly trip: KeptTrip;
  /** Of the version that the trip follows; undefined if it is gone. */
  readonly steps: readonly Step[] | undefined;
  /** In the order in which they were requested. */
  readonly messages: readonly TripMessage[];
  /** In the order in which they were recorded. */
  readonly conversions: readonly TripConversion[];
  readonly setAside: SetAsideTrip | undefined;
  /** Whether the caller may see the contact's values. */
  readonly withValues: boolean;
}

export interface ExplainedDecision extends Told {
  readonly at: Date;
  /** Null for entries that belong to no step. */
  readonly stepId: number | null;
  /** The step's position in its version, such as `steps[2].branches[0].steps[1]`. */
  readonly stepPath: string | null;
  readonly stepType: Step['type'] | null;
  readonly outcome: DecisionOutcome;
  /** The branch that a condition or a split took, and its label; null for other entries. */
  readonly way: WayKey | null;
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
  readonly end: (Told & { readonly at: Date }) | null;
}

/** Values that flows ask for or set may be addresses. */
const masked = maskerFor(null);

export function explain(facts: ExplanationFacts, now: Date): Explanation {
  const places = new Map(placedSteps(facts.steps ?? []).map((placed) => [placed.step.id, placed]));
  const { trip, messages, withValues } = facts;
  const tell = (entry: StoryEntry): ExplainedDecision => {
    const placed = places.get(entry.stepId);
    const message = messageOf(entry, messages);
    const told =
      outsideWords(entry) ?? fateWords(entry, message) ?? stepWords(entry, placed?.step, withValues);
    const way = wayTaken(entry, placed?.step, withValues);
    const wayName = (placed && waysOf(placed.step)?.find((one) => one.way === way)?.name) ?? null;
    const shown = {
      ...told,
      wayName,
      facts: { ...shownFacts(entry, placed?.step, withValues), ...(message && messageFacts(message)) },
    };
    return {
      at: entry.at,
      stepId: entry.stepId === 0 ? null : entry.stepId,
      stepPath: placed?.path ?? null,
      stepType: placed?.step.type ?? null,
      outcome: decisionOutcome(entry.outcome),
      way,
      ...(withValues ? shown : masked(shown)),
    };
  };
  const { completedAt, endedReason, status } = trip;
  return {
    decisions: storyOf(trip, facts.conversions).map(tell),
    messages: messages.map((message) => ({
      ...message,
      stepPath: places.get(message.stepId)?.path ?? null,
      detail: messageWords(message),
      facts: messageFacts(message),
    })),
    waitsFor: completedAt === null ? waitOf(facts, now) : null,
    end:
      completedAt === null
        ? null
        : { at: completedAt, reason: endedReason ?? status, detail: endWords(endedReason ?? '') },
  };
}

/** The message whose outcome the entry reports, unless the entry reports none or the outcome has changed since. */
function messageOf(
  { outcome, stepId }: StoryEntry,
  messages: readonly TripMessage[],
): TripMessage | undefined {
  const message = messages.find((one) => one.stepId === stepId && !one.isRepetition);
  return message && outcome === `message_${message.status}` ? message : undefined;
}

function fateWords({ outcome }: StoryEntry, message: TripMessage | undefined): Told | undefined {
  const [, status] = /^message_(\w+)$/.exec(outcome) ?? [];
  if (status === undefined) return undefined;
  if (message)
    return {
      reason: message.suppressedReason ?? message.errorCode ?? outcome,
      detail: messageWords(message),
    };
  const fate = status === 'unknown' ? 'of unknown outcome' : status;
  return { reason: outcome, detail: `The email of the step was ${fate}.` };
}
