/**
 * Sends a tenant's due messages. At most one turn per tenant runs in a process at a time; the turns of all tenants
 * share the lanes of their transport.
 */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { type Environment, scopeKey, type TenantScope } from '../../../kernel/tenant-scope.js';
import { WorkSession } from '../../../platform/queue/work-session.js';
import type { FinishedSend } from '../domain/claimed-send.js';
import { SendAttempts } from './send-attempts.js';
import { SendExchange } from './send-exchange.js';
import { LANES, SendLanes } from './send-lanes.js';
import { TenantDrain } from './tenant-drain.js';

/** How long a process that is to end waits for answers of SMTP servers, in milliseconds of real time. */
const LAST_ANSWERS = 6_000;

@Injectable()
export class SenderService {
  private readonly lanes: Readonly<Record<Environment, SendLanes>> = {
    live: new SendLanes(LANES),
    test: new SendLanes(LANES),
  };
  private readonly running = new Map<string, Promise<boolean>>();
  private readonly unstored = new Map<string, readonly FinishedSend[]>();
  private readonly impatience = new AbortController();

  constructor(
    private readonly exchange: SendExchange,
    private readonly attempts: SendAttempts,
    private readonly clock: Clock,
    session: WorkSession,
  ) {
    session.signal.addEventListener('abort', () => {
      // Unreferenced: it must not keep a process alive that is done sooner.
      setTimeout(() => this.impatience.abort(), LAST_ANSWERS).unref();
    });
  }

  /**
   * Sends until nothing is due or `mayGoOn` says no, and then finishes what is in hand. A call while the tenant is
   * being worked on joins that turn.
   * @returns whether rows may be left that are due.
   */
  async drain(scope: TenantScope, mayGoOn: () => boolean): Promise<boolean> {
    const key = scopeKey(scope);
    let turn = this.running.get(key);
    if (!turn) {
      turn = this.turn(key, scope, mayGoOn).finally(() => this.running.delete(key));
      this.running.set(key, turn);
    }
    return turn;
  }

  private async turn(key: string, scope: TenantScope, mayGoOn: () => boolean): Promise<boolean> {
    const { exchange, attempts, clock } = this;
    const lanes = this.lanes[scope.environment];
    const drain = new TenantDrain(scope, { exchange, attempts, clock, lanes }, this.unstored.get(key) ?? []);
    this.unstored.delete(key);
    try {
      return await drain.run(mayGoOn, this.impatience.signal);
    } finally {
      if (drain.unstored.length > 0) this.unstored.set(key, drain.unstored);
    }
  }
}
