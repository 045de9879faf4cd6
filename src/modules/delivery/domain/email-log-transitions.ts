/**
 * The states of a message and the transitions between them. `unknown`: the message may or may not have left, and is
 * sent again only when a person requests it.
 */
export const EMAIL_LOG_STATUSES = [
  'queued',
  'sending',
  'sent',
  'failed',
  'suppressed',
  'unknown',
  'cancelled',
] as const;

export type EmailLogStatus = (typeof EMAIL_LOG_STATUSES)[number];

export const EMAIL_LOG_TRANSITIONS: Readonly<Record<EmailLogStatus, readonly EmailLogStatus[]>> = {
  // To sent and failed: the late result of a process that was believed dead, after its message was requeued. To failed
  // and unknown: a message that cannot be claimed.
  queued: ['sending', 'cancelled', 'sent', 'failed', 'unknown'],
  // To queued: a temporary refusal, an unreachable server, or a retry after a crash. To cancelled: instead of queued,
  // if the message was cancelled in the meantime.
  sending: ['sent', 'failed', 'suppressed', 'queued', 'unknown', 'cancelled'],
  // To queued: by a person. To sent and failed: the late result of a process that was believed dead.
  unknown: ['queued', 'sent', 'failed'],
  sent: [],
  // To queued: a person requeues a dead letter, a message that a fault of the product kept from being sent.
  failed: ['queued'],
  suppressed: [],
  cancelled: [],
};

/** Whether a message may go from one state to another. */
export function mayBecome(from: EmailLogStatus, to: EmailLogStatus): boolean {
  return EMAIL_LOG_TRANSITIONS[from].includes(to);
}

/** Whether nothing more happens to the message automatically, so that a trip no longer waits for it. */
export function isSettled(status: EmailLogStatus): boolean {
  return status !== 'queued' && status !== 'sending';
}
