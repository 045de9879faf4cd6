/** Waits for a permit, until a timeout or until the signal aborts. */
import type { Turn, Turns } from './turns.js';

/** Why there was no permit: too many are waiting, the wait timed out, or the signal aborted it. */
export type NoTurn = 'full' | 'late' | 'aborted';

export interface Wait {
  readonly owner: string;
  /** Bytes that the work holds while it waits. */
  readonly bytes?: number;
  /** Maximum wait in milliseconds of real time. */
  readonly patience: number;
  readonly signal?: AbortSignal;
  /** Called when it starts to wait, and not if a permit is free. */
  readonly onWaiting?: () => void;
}

/**
 * @returns the permit, which the caller must release; or the reason why there is none, and then nothing remains queued.
 */
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
  // Usually a permit is free.
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
