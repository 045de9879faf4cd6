/**
 * What happened to the trips that did start: messages that were not sent, branches that bypassed them, waits and
 * ends.
 */
import type { ExplainedDecision, ExplainedMessage } from './explanation.js';
import { against, passed } from './silence-finding.js';
import type { SilenceFacts, SilenceFinding, TripThrough } from './silence-facts.js';

/** The findings about the trips, newest first. */
export function tripFindings({ trips }: SilenceFacts): SilenceFinding[] {
  return trips.flatMap((trip) => [
    ...trip.explanation.messages.map((message) => messageFinding(trip, message)),
    ...trip.explanation.decisions.flatMap((decision) => wayFinding(trip, decision)),
    ...waitFinding(trip),
    ...endFinding(trip),
  ]);
}

function messageFinding({ id: tripId }: TripThrough, message: ExplainedMessage): SilenceFinding {
  const { status, suppressedReason, errorCode, heldBy, stepPath, detail } = message;
  const more = {
    tripId,
    stepPath,
    at: message.sentAt ?? message.createdAt,
    facts: { email_log_id: message.id, status, template_slug: message.templateSlug },
  };
  if (status === 'sent') return passed('message', 'message_sent', detail, more);
  const reason = suppressedReason ?? errorCode ?? heldBy ?? `message_${status}`;
  return against('message', reason, detail, more);
}

/** Reports a choice of a branch, since the steps on the other branches did not run. */
function wayFinding({ id: tripId }: TripThrough, decision: ExplainedDecision): SilenceFinding[] {
  const { stepType, stepPath, at, facts, reason, detail, outcome } = decision;
  if (stepType !== 'condition' && stepType !== 'conditional_split' && stepType !== 'ab_split') return [];
  if (outcome === 'continue') return [];
  const more = { tripId, stepPath, at, facts };
  return outcome === 'skip_to_end'
    ? [against('way', 'skipped_to_end', detail, more)]
    : [passed('way', reason, detail, more)];
}

function waitFinding({ id: tripId, explanation }: TripThrough): SilenceFinding[] {
  const { waitsFor, decisions } = explanation;
  // If it waits for its message, the message's own finding reports why.
  if (!waitsFor || waitsFor.kind === 'message') return [];
  const stepPath = decisions.findLast(({ stepId }) => stepId !== null)?.stepPath ?? null;
  const more = { tripId, stepPath, at: waitsFor.until };
  return [against('wait', `waits_for_${waitsFor.kind}`, waitsFor.detail, more)];
}

function endFinding({ id: tripId, explanation: { end } }: TripThrough): SilenceFinding[] {
  if (!end) return [];
  const more = { tripId, at: end.at };
  const isRegular = end.reason === 'finished' || end.reason === 'skipped_to_end';
  return [
    isRegular ? passed('end', end.reason, end.detail, more) : against('end', end.reason, end.detail, more),
  ];
}
