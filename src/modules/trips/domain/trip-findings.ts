/**
 * What happened to the trips that did start: messages that were not sent, branches that bypassed them, waits and
 * ends.
 */
import { stepKindOf } from '../../flows/domain/step.js';
import type { ExplainedDecision, ExplainedMessage } from './explanation.js';
import { blocking, passed } from './silence-finding.js';
import type { SilenceInputs, SilenceFinding, ContactTrip } from './silence-inputs.js';

/** The findings about the trips, newest first. */
export function tripFindings({ trips }: SilenceInputs): SilenceFinding[] {
  return trips.flatMap((trip) => [
    ...trip.explanation.messages.map((message) => messageFinding(trip, message)),
    ...trip.explanation.decisions.flatMap((decision) => branchFinding(trip, decision)),
    ...waitFinding(trip),
    ...endFinding(trip),
  ]);
}

function messageFinding({ id: tripId }: ContactTrip, message: ExplainedMessage): SilenceFinding {
  const { status, suppressedReason, errorCode, heldBy, stepPath, detail } = message;
  const details = {
    tripId,
    stepPath,
    at: message.sentAt ?? message.createdAt,
    facts: { email_log_id: message.id, status, template_slug: message.templateSlug },
  };
  if (status === 'sent') return passed('message', 'message_sent', detail, details);
  const reason = suppressedReason ?? errorCode ?? heldBy ?? `message_${status}`;
  return blocking('message', reason, detail, details);
}

/** Reports a choice of a branch, since the steps on the other branches did not run. */
function branchFinding({ id: tripId }: ContactTrip, decision: ExplainedDecision): SilenceFinding[] {
  const { stepType, stepPath, at, facts, reason, detail, outcome } = decision;
  if (stepType === null || !stepKindOf({ type: stepType })?.branches) return [];
  if (outcome === 'continue') return [];
  const details = { tripId, stepPath, at, facts };
  return outcome === 'skip_to_end'
    ? [blocking('way', 'skipped_to_end', detail, details)]
    : [passed('way', reason, detail, details)];
}

function waitFinding({ id: tripId, explanation }: ContactTrip): SilenceFinding[] {
  const { waitsFor, decisions } = explanation;
  // If it waits for its message, the message's own finding reports why.
  if (!waitsFor || waitsFor.kind === 'message') return [];
  const stepPath = decisions.findLast(({ stepId }) => stepId !== null)?.stepPath ?? null;
  const details = { tripId, stepPath, at: waitsFor.until };
  return [blocking('wait', `waits_for_${waitsFor.kind}`, waitsFor.detail, details)];
}

function endFinding({ id: tripId, explanation: { end } }: ContactTrip): SilenceFinding[] {
  if (!end) return [];
  const details = { tripId, at: end.at };
  const isRegular = end.reason === 'finished' || end.reason === 'skipped_to_end';
  return [
    isRegular
      ? passed('end', end.reason, end.detail, details)
      : blocking('end', end.reason, end.detail, details),
  ];
}
