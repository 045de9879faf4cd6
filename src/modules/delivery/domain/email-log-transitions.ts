/**
 * The states of a message and how one follows another. `unknown` says that the message may have gone out or not,
 * and that nothing is sent again unless a person asks for it.
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
  // To sent and failed: the late word of a process that was believed dead, whose message had been queued again. To failed
  // and unknown: one that cannot be taken in hand.
  queued: ['sending', 'cancelled', 'sent', 'failed', 'unknown'],
  // To queued: a temporary refusal, an unreachable server, or one more try after a crash. To cancelled: in place of those,
  // where it was called off meanwhile.
  sending: ['sent', 'failed', 'suppressed', 'queued', 'unknown', 'cancelled'],
  // To queued: by a person. To sent and failed: the late word of a process that was believed dead.
  unknown: ['queued', 'sent', 'failed'],
  sent: [],
  // To queued: by a person, of one that was set aside: the product's own mistake kept it from being sent.
  failed: ['queued'],
  suppressed: [],
  cancelled: [],
};

/** Whether a message may go from one state to another. */
export function mayBecome(from: EmailLogStatus, to: EmailLogStatus): boolean {
  return EMAIL_LOG_TRANSITIONS[from].includes(to);
}

/** Whether nothing more is going to happen to the message by itself, so that a trip waits for it no longer. */
export function isSettled(status: EmailLogStatus): boolean {
  return status !== 'queued' && status !== 'sending';
}
