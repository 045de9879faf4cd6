/**
 * Explains a trip: what was decided of it, in order, with the reason and what was seen; what it waits for now; why it is
 * over. Made of the trip's row, its trail, the steps of its version and its messages, and of nothing else.
 */
import type { JsonObject } from '../../../kernel/json.js';
import type { Step } from '../../flows/domain/step.js';
import { placedSteps } from '../../flows/domain/step-tree.js';
import { endWords, outsideWords, shownFacts, stepWords, type Told } from './explanation-words.js';
import { messageWords, type TripMessage } from './message-words.js';
import type { TrailEntry } from './trail.js';
import type { Trip } from './trip.js';
import type { KeptTrip } from './kept-trip.js';
import { waitOf, type SetAsideTrip, type Waiting } from './waiting.js';

export interface ExplanationFacts {
  readonly trip: KeptTrip;
  /** Of the version that the trip follows; undefined when it is gone. */
  readonly steps: readonly Step[] | undefined;
  /** In the order in which they were asked for. */
  readonly messages: readonly TripMessage[];
  readonly setAside: SetAsideTrip | undefined;
  /** Whether the caller may see the contact's values. */
  readonly withValues: boolean;
}

export interface ExplainedDecision extends Told {
  readonly at: Date;
  /** Null for what is of no step. */
  readonly stepId: number | null;
  /** Where the step stands in its version, such as `steps[2].branches[0].steps[1]`. */
  readonly stepPath: string | null;
  readonly stepType: Step['type'] | null;
  readonly outcome: string;
  readonly facts: JsonObject;
}

export interface ExplainedMessage extends TripMessage {
  readonly stepPath: string | null;
  readonly detail: string;
}

export interface Explanation {
  readonly decisions: readonly ExplainedDecision[];
  readonly messages: readonly ExplainedMessage[];
  /** Null when the trip is over. */
  readonly waitsFor: Waiting | null;
  readonly end: (Told & { readonly at: Date }) | null;
}

export function explain(facts: ExplanationFacts, now: Date): Explanation {
  const places = new Map(placedSteps(facts.steps ?? []).map((placed) => [placed.step.id, placed]));
  const { trip, messages } = facts;
  const tell = (entry: TrailEntry): ExplainedDecision => {
    const placed = places.get(entry.stepId);
    const told =
      outsideWords(entry) ??
      fateOf(entry, messages) ??
      (entry.outcome === 'resumed' ? RESUMED : stepWords(entry, placed?.step, facts.withValues));
    return {
      at: entry.at,
      stepId: entry.stepId === 0 ? null : entry.stepId,
      stepPath: placed?.path ?? null,
      stepType: placed?.step.type ?? null,
      outcome: entry.outcome,
      facts: shownFacts(entry, facts.withValues),
      ...told,
    };
  };
  const entries = withResumptions(trip, trip.trail);
  return {
    decisions: [entryOf(trip), ...entries.map(tell), ...completionOf(trip)],
    messages: messages.map((message) => ({
      ...message,
      stepPath: places.get(message.stepId)?.path ?? null,
      detail: messageWords(message),
    })),
    waitsFor: trip.completedAt === null ? waitOf(facts, now) : null,
    end:
      trip.completedAt === null
        ? null
        : {
            at: trip.completedAt,
            reason: trip.endedReason ?? trip.status,
            detail: endWords(trip.endedReason ?? ''),
          },
  };
}

const RESUMED: Told = { reason: 'wait_over', detail: 'The wait was over.' };

const ofTrip = { stepId: null, stepPath: null, stepType: null };

function entryOf({ startedAt, triggerEventId, flowVersion }: Trip): ExplainedDecision {
  return {
    ...ofTrip,
    at: startedAt,
    outcome: 'entered',
    reason: 'trigger_event',
    detail: `Entered version ${flowVersion} of the flow by the event ${triggerEventId}.`,
    facts: { event_id: triggerEventId, flow_version: flowVersion },
  };
}

/** The end that the flow itself has come to; any other stands in the trail. */
function completionOf({ status, completedAt, endedReason }: KeptTrip): ExplainedDecision[] {
  if (status !== 'completed' || !completedAt) return [];
  const reason = endedReason ?? 'finished';
  return [{ ...ofTrip, at: completedAt, outcome: 'completed', reason, detail: endWords(reason), facts: {} }];
}

/** The entries, and between them that a wait was over: it is written by what came next. */
function withResumptions(trip: KeptTrip, entries: readonly TrailEntry[]): TrailEntry[] {
  const end: TrailEntry[] =
    trip.status === 'completed' && trip.completedAt
      ? [{ at: trip.completedAt, stepId: 0, outcome: 'completed' }]
      : [];
  const all = [...entries, ...end];
  return all
    .flatMap((entry, place): TrailEntry[] => {
      const before = all[place - 1];
      const isBehindWait = before?.outcome === 'parked' || before?.outcome === 'wait_skipped';
      const isByEngine = outsideWords(entry) === undefined;
      return before && isBehindWait && isByEngine
        ? [{ at: entry.at, stepId: before.stepId, outcome: 'resumed' }, entry]
        : [entry];
    })
    .filter(({ outcome }) => outcome !== 'completed');
}

function fateOf({ outcome, stepId }: TrailEntry, messages: readonly TripMessage[]): Told | undefined {
  const [, status] = /^message_(\w+)$/.exec(outcome) ?? [];
  if (status === undefined) return undefined;
  const message = messages.find((one) => one.stepId === stepId && !one.isRepetition);
  if (message?.status !== status)
    return {
      reason: outcome,
      detail: `The email of the step was ${status === 'unknown' ? 'of unknown fate' : status}.`,
    };
  return { reason: message.suppressedReason ?? message.errorCode ?? outcome, detail: messageWords(message) };
}
