/** What a trip's message has come to, in a sentence. */
import type { EmailLogStatus } from '../../delivery/domain/email-log-transitions.js';

/** What of a message explains its trip: nobody's address, no server's words. */
export interface TripMessage {
  readonly id: string;
  readonly stepId: number;
  /** Whether it repeats, by a person's wish, one that failed. */
  readonly isRepetition: boolean;
  readonly templateSlug: string;
  readonly status: EmailLogStatus;
  readonly errorCode: string | null;
  readonly suppressedReason: string | null;
  /** What holds it back while it is queued; null when nothing does. */
  readonly heldBy: string | null;
  readonly attempts: number;
  readonly nextAttemptAt: Date;
  readonly sentAt: Date | null;
  readonly createdAt: Date;
}

const HOLDS: Readonly<Record<string, string>> = {
  send_window: 'for its send window',
  do_not_disturb: 'for the end of the hours of rest',
  frequency_cap: 'for room below the frequency cap',
  throttle: 'for its turn in the flow’s throttle',
};

const SUPPRESSIONS: Readonly<Record<string, string>> = {
  workspace_suspended: 'the workspace is suspended',
  workspace_not_live: 'the workspace is not live',
  contact_deleted: 'the contact is deleted',
  no_email_address: 'the contact has no email address',
  invalid_email_address: 'the contact’s email address is none',
  unsubscribed: 'the contact is unsubscribed',
  company_address_incomplete: 'the company’s address is incomplete',
  frequency_cap: 'the contact has had as many messages as the frequency cap allows',
  no_open_hours: 'its send window and the hours of rest leave no moment for it',
};

/** A message's state, without the name of its step. */
export function messageWords(message: TripMessage): string {
  const name = `The email “${message.templateSlug}”`;
  switch (message.status) {
    case 'queued':
      return `${name} waits ${waitWords(message)}.`;
    case 'sending':
      return `${name} is being sent.`;
    case 'sent':
      return `${name} was sent.`;
    case 'failed':
      return `${name} could not be sent: ${(message.errorCode ?? 'for no known reason').replaceAll('_', ' ')}.`;
    case 'suppressed':
      return `${name} was not sent, since ${SUPPRESSIONS[message.suppressedReason ?? ''] ?? 'a rule forbids it'}.`;
    case 'unknown':
      return `${name} may have gone out or not; only a person sends it again.`;
    case 'cancelled':
      return `${name} was called off.`;
  }
}

/** What a queued message waits for. */
export function waitWords({ heldBy, attempts, nextAttemptAt }: TripMessage): string {
  const until = `until ${nextAttemptAt.toISOString()}`;
  if (heldBy !== null) return `${HOLDS[heldBy] ?? heldBy.replaceAll('_', ' ')}, ${until}`;
  return attempts > 0 ? `for another attempt, ${until}` : 'for its turn';
}
