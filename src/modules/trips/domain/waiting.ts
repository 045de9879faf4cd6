/** What a trip under way waits for, and until when. */
import type { TripWithHistory } from './trip-with-history.js';
import { formatMessageWait, type TripMessage } from './trip-message.js';

export const WAIT_KINDS = ['time', 'message', 'engine', 'person', 'nothing'] as const;
/**
 * - `time`: `resumeAt` is in the future, because of a wait step or because a failed attempt was postponed;
 * - `message`: the outcome of its email;
 * - `engine`: it is due;
 * - `person`: it is a dead letter;
 * - `nothing`: nothing will wake it, which is a fault.
 */
export type WaitKind = (typeof WAIT_KINDS)[number];

export interface Waiting {
  readonly kind: WaitKind;
  /** Null if unknown. */
  readonly until: Date | null;
  readonly detail: string;
}

/** A trip that was taken off the schedule because it failed repeatedly. */
export interface TripDeadLetter {
  readonly code: string;
  readonly reason: string;
  readonly at: Date;
}

export function waitOf(
  {
    trip,
    messages,
    deadLetter,
  }: {
    readonly trip: Pick<TripWithHistory, 'status' | 'resumeAt' | 'lastStep'>;
    readonly messages: readonly TripMessage[];
    readonly deadLetter: TripDeadLetter | undefined;
  },
  now: Date,
): Waiting {
  const { status, resumeAt, lastStep } = trip;
  if (deadLetter) return { kind: 'person', until: null, detail: `It is a dead letter: ${deadLetter.reason}` };
  if (status === 'awaiting_send')
    return waitForMessage(messages.find((one) => one.stepId === lastStep && !one.isRepetition));
  if (!resumeAt) return { kind: 'nothing', until: null, detail: 'Nothing will wake it: retry it manually.' };
  if (resumeAt <= now)
    return { kind: 'engine', until: resumeAt, detail: 'It is due and will continue shortly.' };
  return { kind: 'time', until: resumeAt, detail: `It is waiting until ${resumeAt.toISOString()}.` };
}

function waitForMessage(message: TripMessage | undefined): Waiting {
  if (message?.status === 'queued')
    return {
      kind: 'message',
      until: message.nextAttemptAt,
      detail: `Its email is waiting ${formatMessageWait(message)}.`,
    };
  if (message?.status === 'sending')
    return { kind: 'message', until: null, detail: 'Its email is being sent.' };
  return {
    kind: 'nothing',
    until: null,
    detail: message
      ? `Its email is ${message.status}, but the trip was not notified: check the dead letters.`
      : 'It is waiting for an email that does not exist: retry it manually.',
  };
}
