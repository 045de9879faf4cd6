/**
 * Sends a tenant's due messages. A process runs at most one turn per tenant at a time. The turns of all tenants share
 * the lanes of their transport.
 */
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Clock } from '../../../kernel/clock.js';
import { scopeKey, type TenantScope } from '../../../kernel/tenant-scope.js';
import { isUnreachable } from '../../../platform/database/database.js';
import type { DueTenant } from '../../../platform/queue/poller.js';
import { WorkSession } from '../../../platform/queue/work-session.js';
import { addFailure, type Failures } from '../../dead-letters/domain/retry-policy.js';
import type { UnstoredOutcome } from '../domain/unstored-outcome.js';
import { WorkspaceService } from '../../workspaces/application/workspace.service.js';
import { MailRoutes } from './mail-routes.js';
import { SendAttempts } from './send-attempts.js';
import { SendBatches } from './send-batches.js';
import { SendReviews } from './send-reviews.js';
import { TenantDrain } from './tenant-drain.js';

/** How long a process that shuts down waits for answers of SMTP servers, in milliseconds of real time. */
const SHUTDOWN_WAIT_MS = 6_000;

/** Milliseconds of real time after which a turn ends if other tenants wait for a turn in this process. */
const TIME_SLICE_MS = 1_500;

/** Maximum of tenants whose failures are kept. The oldest failures are forgotten. */
const MAX_FAILING_TENANTS = 10_000;

@Injectable()
export class SenderService {
  private readonly running = new Map<string, Promise<boolean>>();
  private readonly unstored = new Map<string, { scope: TenantScope; outcomes: readonly UnstoredOutcome[] }>();
  /** Consecutive failed turns by tenant, although the database could be reached. */
  private readonly failing = new LRUCache<string, Failures>({ max: MAX_FAILING_TENANTS });
  private readonly shutdownAbort = new AbortController();
  private hasWaitingTenants = false;

  constructor(
    private readonly exchange: SendBatches,
    private readonly attempts: SendAttempts,
    private readonly reviews: SendReviews,
    private readonly routes: MailRoutes,
    private readonly workspaces: WorkspaceService,
    private readonly clock: Clock,
    private readonly session: WorkSession,
  ) {
    session.signal.addEventListener('abort', () => {
      // Unreferenced, so that it does not keep a process alive that finishes sooner.
      setTimeout(() => this.shutdownAbort.abort(), SHUTDOWN_WAIT_MS).unref();
    });
  }

  /**
   * Sends until nothing is due or `mayContinue` returns false, then finishes the claimed messages. A call while the tenant
   * already has a turn joins that turn.
   * @returns whether due rows may be left.
   */
  async drain(scope: TenantScope, mayContinue: () => boolean): Promise<boolean> {
    const key = scopeKey(scope);
    let current = this.running.get(key);
    if (!current) {
      current = this.drainOnce(key, scope, mayContinue).finally(() => this.running.delete(key));
      this.running.set(key, current);
    }
    return current;
  }

  /** Records which tenants have due messages. While some of them wait for a turn, the turns of others are short. */
  recordDue(scopes: readonly TenantScope[]): void {
    this.hasWaitingTenants = scopes.some((scope) => !this.running.has(scopeKey(scope)));
  }

  /**
   * Tenants with outcomes that only this process knows, and when to try again to store them.
   * @param now the product's time.
   */
  unstoredTenants(now: Date): DueTenant[] {
    return [...this.unstored.values()].map(({ scope, outcomes }) => ({
      workspace_id: scope.workspaceId,
      environment: scope.environment,
      due_at: outcomes
        .map(({ failures }) => failures?.until ?? now)
        .reduce((one, other) => (one < other ? one : other)),
    }));
  }

  /**
   * Tries once more to store what only this process knows, regardless of its pauses. For shutdown, when no turn runs
   * any more. Never throws.
   */
  async storeRemaining(): Promise<void> {
    const unstored = [...this.unstored];
    for (const [key, { scope, outcomes }] of unstored) {
      const untried = outcomes.map(({ finished }) => ({ finished, failures: undefined }));
      this.unstored.set(key, { scope, outcomes: untried });
    }
    await Promise.allSettled(unstored.map(([, { scope }]) => this.drain(scope, () => false)));
  }

  private async drainOnce(key: string, scope: TenantScope, mayContinue: () => boolean): Promise<boolean> {
    const { exchange, attempts, reviews, clock } = this;
    const failures = this.failing.get(key);
    const chosen = (await this.workspaces.find(scope))?.settings.mailTransports;
    const routes = this.routes.of(scope.environment, chosen);
    const ending = this.session.signal;
    const tools = { exchange, attempts, reviews, clock, routes, ending, failures };
    const startedAt = performance.now();
    const isSliceOver = (): boolean =>
      this.hasWaitingTenants && performance.now() - startedAt > TIME_SLICE_MS;
    const drain = new TenantDrain(scope, tools, this.unstored.get(key)?.outcomes ?? []);
    this.unstored.delete(key);
    try {
      const hasMore = await drain.run(() => mayContinue() && !isSliceOver(), this.shutdownAbort.signal);
      this.failing.delete(key);
      return hasMore;
    } catch (error) {
      if (!isUnreachable(error)) this.failing.set(key, addFailure(failures, clock.now()));
      throw error;
    } finally {
      const outcomes = drain.unstored;
      if (outcomes.length > 0) this.unstored.set(key, { scope, outcomes });
    }
  }
}
