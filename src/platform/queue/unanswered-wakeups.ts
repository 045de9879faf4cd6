/**
 * Detects wake-ups that no worker handles. The job of a killed process, or one whose claim was lost with a connection,
 * blocks further wake-ups of its tenant until its lock expires. If a tenant makes no progress between two polls, a
 * wake-up with a second id is sent, which the first does not block. A process that has just started does so on its
 * first poll, because the due work may be left over from its predecessor, and a superfluous wake-up is harmless.
 */
import { scopeKey } from '../../kernel/tenant-scope.js';
import type { DueWork } from './poller.js';

/** Milliseconds of real time within which a tenant in progress must show some change. */
const NO_PROGRESS_MS = 900;

interface Observation {
  readonly since: number;
  /** When the tenant was first found in this state, by the process's monotonic clock. */
  readonly at: number;
}

export class UnansweredWakeUps {
  private observations = new Map<string, Observation>();
  private isFirst = true;

  /**
   * Records the result of a poll.
   * @param now the time of the poll in product time.
   * @param at the process's monotonic time in milliseconds, such as performance.now().
   * @returns for each scope, whether to send a second wake-up.
   */
  record({ scopes, since }: DueWork, now: Date, at: number): boolean[] {
    const observations = new Map<string, Observation>();
    const mustRepeat = scopes.map((scope, index) => {
      const key = scopeKey(scope);
      const earlier = this.observations.get(key);
      // Work that is due "since now" has no fixed due time to compare.
      const moment = since[index]?.getTime() ?? now.getTime();
      const isSame = earlier !== undefined && (earlier.since === moment || moment >= now.getTime());
      const observation = isSame ? earlier : { since: moment, at };
      observations.set(key, observation);
      return this.isFirst || at - observation.at >= NO_PROGRESS_MS;
    });
    this.observations = observations;
    this.isFirst = false;
    return mustRepeat;
  }
}
