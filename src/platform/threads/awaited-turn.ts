/** Waiting for a turn: for as long as one has patience, and as nobody ends it. */
import type { Turn, Turns } from './turns.js';

/** Why there was no turn: too much waits already, it did not come in time, or the signal ended the waiting. */
export type NoTurn = 'full' | 'late' | 'aborted';

export interface Wait {
  readonly owner: string;
  /** What the piece of work holds while it waits. */
  readonly bytes?: number;
  /** Milliseconds of real time that it waits. */
  readonly patience: number;
  readonly signal?: AbortSignal;
  /** Is called once it waits, and not where its turn comes at once. */
  readonly onWaiting?: () => void;
}

/** @returns the turn, which the caller gives back; or why there is none, and then nothing is left of it in the queue. */
export async function awaitTurn(
  turns: Turns,
  { owner, bytes = 0, patience, signal, onWaiting }: Wait,
): Promise<Turn | NoTurn> {
  if (signal?.aborted) return 'aborted';
  let hasBegun = false;
  let begin = (): void => undefined;
  const turn = turns.enter(owner, bytes, () => {
    hasBegun = true;
    begin();
  });
  if (!turn) return 'full';
  // Most need not wait, and go on at once.
  if (hasBegun) return turn;
  onWaiting?.();
  return new Promise((resolve) => {
    const end = (outcome: Turn | NoTurn): void => {
      clearTimeout(impatience);
      signal?.removeEventListener('abort', abort);
      if (outcome !== turn) turn.leave();
      resolve(outcome);
    };
    const abort = (): void => end('aborted');
    const impatience = setTimeout(() => end('late'), patience);
    signal?.addEventListener('abort', abort, { once: true });
    begin = () => end(turn);
  });
}

export function isTurn(outcome: Turn | NoTurn): outcome is Turn {
  return typeof outcome !== 'string';
}
