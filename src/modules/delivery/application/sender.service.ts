/**
 * Sends a tenant's due messages. A process runs at most one turn per tenant at a time. The turns of all tenants share
 * the lanes of their transport.
 */
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Clock } from '../../../kernel/clock.js';
import { scopeKey, type TenantScope } from '../../../kernel/tenant-scope.js';
import { isUnreachable } from '../../../platform/database/database.js';
import type { DueTenant } from '../../../platform/queue/stage.js';
import { WorkSession } from '../../../platform/queue/work-session.js';
import { oneMore, type Failures } from '../../set-aside/domain/patience.js';
import type { UnstoredFate } from '../domain/unstored-fate.js';
import { WorkspaceService } from '../../workspaces/application/workspace.service.js';
import { MailRoutes } from './mail-routes.js';
import { SendAttempts } from './send-attempts.js';
import { SendExchange } from './send-exchange.js';
import { SendReviews } from './send-reviews.js';
import { TenantDrain } from './tenant-drain.js';

/** How long a process that shuts down waits for answers of SMTP servers, in milliseconds of real time. */
const LAST_ANSWERS = 6_000;

/** Milliseconds of real time after which a turn ends if other tenants wait for a turn in this process. */
const SHORT_TURN = 1_500;

/** Maximum of tenants whose failures are kept. The oldest failures are forgotten. */
const MOST_FAILING = 10_000;

@Injectable()
export class SenderService {
  private readonly running = new Map<string, Promise<boolean>>();
  private readonly unstored = new Map<string, { scope: TenantScope; fates: readonly UnstoredFate[] }>();
  /** Consecutive failed turns by tenant, although the database could be reached. */
  private readonly failing = new LRUCache<string, Failures>({ max: MOST_FAILING });
  private readonly impatience = new AbortController();
  private isSomebodyWaiting = false;

  constructor(
    private readonly exchange: SendExchange,
    private readonly attempts: SendAttempts,
    private readonly reviews: SendReviews,
    private readonly routes: MailRoutes,
    private readonly workspaces: WorkspaceService,
    private readonly clock: Clock,
    private readonly session: WorkSession,
  ) {
    session.signal.addEventListener('abort', () => {
      // Unreferenced, so that it does not keep a process alive that finishes sooner.
      setTimeout(() => this.impatience.abort(), LAST_ANSWERS).unref();
    });
  }

  /**
   * Sends until nothing is due or `mayGoOn` returns false, then finishes the claimed messages. A call while the tenant
   * already has a turn joins that turn.
   * @returns whether due rows may be left.
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

  /** Records which tenants have due messages. While some of them wait for a turn, the turns of others are short. */
  noteDue(scopes: readonly TenantScope[]): void {
    this.isSomebodyWaiting = scopes.some((scope) => !this.running.has(scopeKey(scope)));
  }

  /**
   * Tenants with outcomes that only this process knows, and when to try again to store them.
   * @param now the product's time.
   */
  waiting(now: Date): DueTenant[] {
    return [...this.unstored.values()].map(({ scope, fates }) => ({
      workspace_id: scope.workspaceId,
      environment: scope.environment,
      due_at: fates
        .map(({ failures }) => failures?.until ?? now)
        .reduce((one, other) => (one < other ? one : other)),
    }));
  }

  /**
   * Tries once more to store what only this process knows, regardless of its pauses. For shutdown, when no turn runs
   * any more. Never throws.
   */
  async storeRest(): Promise<void> {
    const left = [...this.unstored];
    for (const [key, { scope, fates }] of left) {
      const untried = fates.map(({ finished }) => ({ finished, failures: undefined }));
      this.unstored.set(key, { scope, fates: untried });
    }
    await Promise.allSettled(left.map(([, { scope }]) => this.drain(scope, () => false)));
  }

  private async turn(key: string, scope: TenantScope, mayGoOn: () => boolean): Promise<boolean> {
    const { exchange, attempts, reviews, clock } = this;
    const failures = this.failing.get(key);
    const chosen = (await this.workspaces.find(scope))?.settings.mailTransports;
    const routes = this.routes.of(scope.environment, chosen);
    const ending = this.session.signal;
    const tools = { exchange, attempts, reviews, clock, routes, ending, failures };
    const begun = performance.now();
    const isOver = (): boolean => this.isSomebodyWaiting && performance.now() - begun > SHORT_TURN;
    const drain = new TenantDrain(scope, tools, this.unstored.get(key)?.fates ?? []);
    this.unstored.delete(key);
    try {
      const isMoreLeft = await drain.run(() => mayGoOn() && !isOver(), this.impatience.signal);
      this.failing.delete(key);
      return isMoreLeft;
    } catch (error) {
      if (!isUnreachable(error)) this.failing.set(key, oneMore(failures, clock.now()));
      throw error;
    } finally {
      const fates = drain.unstored;
      if (fates.length > 0) this.unstored.set(key, { scope, fates });
    }
  }
}
