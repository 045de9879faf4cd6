/** Describes the state of a trip's message in a sentence. */
import { HOUR, MINUTE } from '../../../kernel/duration.js';
import type { JsonObject } from '../../../kernel/json.js';
import type { EmailLogStatus } from '../../delivery/domain/email-log-transitions.js';
import type { CapUsage, SendGate } from '../../delivery/domain/send-gates.js';

/** The part of a message that explains its trip. Contains no address and no text of a server. */
export interface TripMessage {
  readonly id: string;
  readonly stepId: number;
  /** Whether a person requested it to repeat a failed message. */
  readonly isRepetition: boolean;
  readonly templateSlug: string;
  readonly status: EmailLogStatus;
  readonly errorCode: string | null;
  readonly suppressedReason: string | null;
  /** What delays it while it is queued; null if nothing does. */
  readonly heldBy: string | null;
  /** The gates that apply or applied to it. */
  readonly gates: readonly SendGate[];
  /** Until when a gate last held it back; null if none did. */
  readonly heldUntil: Date | null;
  /** Present for a message that the frequency cap has suppressed. */
  readonly cap: CapUsage | null;
  readonly attempts: number;
  readonly nextAttemptAt: Date;
  readonly sentAt: Date | null;
  readonly createdAt: Date;
}

const HOLD_MESSAGES: Readonly<Record<string, string>> = {
  send_window: 'for its send window',
  do_not_disturb: 'for the end of the do-not-disturb hours',
  frequency_cap: 'for room below the frequency cap',
  throttle: 'for its turn in the flow’s throttle',
  sending_pause:
    'for promotional mail to be resumed; it was paused because of too many bounces or complaints',
  campaign_pause: 'for its campaign to be resumed',
};

const SUPPRESSION_MESSAGES: Readonly<Record<string, string>> = {
  workspace_suspended: 'the workspace is suspended',
  workspace_not_live: 'the workspace is not live',
  contact_deleted: 'the contact is deleted',
  no_email_address: 'the contact has no email address',
  invalid_email_address: 'the contact’s email address is invalid',
  unsubscribed: 'the contact is unsubscribed',
  unsubscribed_topic: 'the contact opted out of its topic',
  paused: 'the contact has paused promotional mail',
  company_address_incomplete: 'the company’s address is incomplete',
  frequency_cap: 'the contact has received as many messages as the frequency cap allows',
  no_open_hours: 'its send window and the do-not-disturb hours leave no time to send it',
  sending_paused:
    'promotional mail was paused because of too many bounces or complaints and was not resumed within a week',
};

/** A message's state, without the name of its step. */
export function formatMessageState(message: TripMessage): string {
  const name = `The email “${message.templateSlug}”`;
  switch (message.status) {
    case 'queued':
      return `${name} is waiting ${formatMessageWait(message)}.`;
    case 'sending':
      return `${name} is being sent.`;
    case 'sent':
      return `${name} was sent.${formatHold(message)}`;
    case 'failed':
      return `${name} could not be sent: ${(message.errorCode ?? 'unknown error').replaceAll('_', ' ')}.`;
    case 'suppressed':
      return `${name} was not sent because ${formatSuppressionReason(message)}.${formatHold(message)}`;
    case 'unknown':
      return `${name} may or may not have been sent. It is only resent at a user’s request.`;
    case 'cancelled':
      return `${name} was cancelled.`;
  }
}

function formatSuppressionReason({ suppressedReason, cap }: TripMessage): string {
  if (cap)
    return (
      `the contact had already received ${cap.sent} of the ${cap.max} messages that the frequency cap allows ` +
      `in ${cap.periodHours} h`
    );
  return SUPPRESSION_MESSAGES[suppressedReason ?? ''] ?? 'a rule forbids it';
}

/** How long gates have held it back. The ledger records which gates applied, and until when the last one held it. */
function formatHold(message: TripMessage): string {
  const heldMs = heldMilliseconds(message);
  if (heldMs === 0 || !message.heldUntil) return '';
  const length =
    heldMs < HOUR ? `${Math.ceil(heldMs / MINUTE)} min` : `${Math.round((heldMs / HOUR) * 10) / 10} h`;
  const gates = message.gates.filter(isDelayingGate).map((gate) => gate.replaceAll('_', ' '));
  const by = gates.length === 0 ? '' : ` by ${gates.join(' or ')}`;
  return ` It was held back for ${length}${by}, until ${message.heldUntil.toISOString()}.`;
}

function heldMilliseconds({ heldUntil, createdAt }: TripMessage): number {
  return heldUntil ? Math.max(0, heldUntil.getTime() - createdAt.getTime()) : 0;
}

/** A cap suppresses messages. It only delays one for seconds, while another message of the contact is being sent. */
function isDelayingGate(gate: SendGate): boolean {
  return gate !== 'frequency_cap';
}

/** The structured details of a message, under the names of REST, like facts. */
export function messageFacts(message: TripMessage): JsonObject {
  const { id, gates, heldBy, heldUntil, cap } = message;
  return {
    email_log_id: id,
    ...(gates.length > 0 ? { gates } : {}),
    ...(heldBy === null ? {} : { held_by: heldBy }),
    ...(heldUntil
      ? { held_until: heldUntil.toISOString(), held_seconds: Math.round(heldMilliseconds(message) / 1_000) }
      : {}),
    ...(cap ? { cap: { sent: cap.sent, max: cap.max, period_hours: cap.periodHours } } : {}),
  };
}

/** What a queued message waits for. */
export function formatMessageWait({ heldBy, attempts, nextAttemptAt }: TripMessage): string {
  const until = `until ${nextAttemptAt.toISOString()}`;
  if (heldBy !== null) return `${HOLD_MESSAGES[heldBy] ?? heldBy.replaceAll('_', ' ')}, ${until}`;
  return attempts > 0 ? `for a retry, ${until}` : 'for its turn';
}
