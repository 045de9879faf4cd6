/**
 * Tells bells that nobody answers. A job whose process was killed, or whose claim was lost with a connection, keeps
 * its tenant's further bells from being queued until its lock runs out; a tenant with which nothing happens between
 * two looks is rung for under a second name, which does not wait for the first. A process that has just started waits for no
 * second look: what it finds due may have been left by the one whose place it takes, and one bell too many does no harm.
 */
import { scopeKey } from '../../kernel/tenant-scope.js';
import type { DueWork } from './stage.js';

/** Milliseconds of real time in which something happens with a tenant that is being worked on. */
const LONG = 900;

interface Look {
  readonly since: number;
  /** When the tenant was first found like this, by the process's own time. */
  readonly at: number;
}

export class UnansweredBells {
  private looks = new Map<string, Look>();
  private isFirst = true;

  /**
   * Takes note of what a look at a stage has found.
   * @param now the look's moment in the product's time.
   * @param at the process's own time in milliseconds, such as performance.now().
   * @returns whether to insist, for each of the scopes.
   */
  take({ scopes, since }: DueWork, now: Date, at: number): boolean[] {
    const looks = new Map<string, Look>();
    const insist = scopes.map((scope, index) => {
      const key = scopeKey(scope);
      const earlier = this.looks.get(key);
      // What is due "since now" has no age of its own.
      const moment = since[index]?.getTime() ?? now.getTime();
      const isSame = earlier !== undefined && (earlier.since === moment || moment >= now.getTime());
      const look = isSame ? earlier : { since: moment, at };
      looks.set(key, look);
      return this.isFirst || at - look.at >= LONG;
    });
    this.looks = looks;
    this.isFirst = false;
    return insist;
  }
}
