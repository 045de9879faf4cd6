/**
 * The only access to tenant rows: a unit of work that opens a transaction in a scope. Outside of a scope, row-level
 * security hides all rows. Also runs the few lookups that happen before a scope is known (an API key, a person's
 * memberships, a report's link), and the dispatcher's queries across tenants.
 */
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Pool, PoolClient, QueryResultRow } from 'pg';
import type { Logger } from 'pino';
import type { TenantScope, WorkspaceScope } from '../../kernel/tenant-scope.js';
import { codeOf, isRetryable, isResourceShortage, isUnreachable } from './database-error.js';
import { writeExactJson } from './exact-json.js';
import './parse-timestamp.js';
import { withPermit } from './with-permit.js';
import { runStatementOn } from './single-statement.js';
import { beginInScopeSql, beginReadOnlySql, enterScopeSql } from './row-level-security.js';
import { FairSemaphore } from '../concurrency/fair-semaphore.js';

export {
  codeOf,
  isTimeout,
  isTransient,
  isResourceShortage,
  isTooCostly,
  isUnreachable,
} from './database-error.js';

/** An open transaction in a scope. */
export interface Transaction {
  /** TypeORM's manager on this transaction, to store single records. */
  readonly manager: EntityManager;
  /**
   * Runs SQL over sets of rows and returns its rows.
   * @param name prepares the statement under this name on the connection, for statements of hot paths.
   */
  query<Row extends QueryResultRow>(sql: string, values?: readonly unknown[], name?: string): Promise<Row[]>;
  /** Runs a statement and returns the number of changed rows. */
  execute(sql: string, values?: readonly unknown[], name?: string): Promise<number>;
  /** Moves the transaction to this scope. Sends nothing to the server if it is already in it. */
  enter(scope: WorkspaceScope | TenantScope): Promise<void>;
  /**
   * Runs `work` after the commit, and never after a rollback: to send wake-ups or count metrics. It must not wait for
   * anything. If it throws, the transaction stays committed and the other callbacks still run.
   */
  afterCommit(work: () => void): void;
  /**
   * Stores items as the last step before the commit, together with all other items of the same work. Rows that many
   * transactions update are then locked only briefly, and always in the same order.
   */
  beforeCommit<Item>(work: BeforeCommitWork<Item>, items: readonly Item[]): void;
  /**
   * Runs a part in a savepoint. If it throws, its changes, `afterCommit` callbacks and `beforeCommit` items are undone,
   * and the transaction continues.
   * @throws what `part` throws.
   */
  inSavepoint<Result>(part: () => Promise<Result>): Promise<Result>;
}

/** The last work of a transaction, see `beforeCommit`. It moves the transaction to the scopes it needs. */
export interface BeforeCommitWork<Item> {
  /** Determines the order: works run sorted by name. */
  readonly name: string;
  store(tx: Transaction, items: readonly Item[]): Promise<void>;
}

/** How to begin a transaction. */
interface TransactionStart {
  readonly begin: string;
  /** The scope that `begin` sets. */
  readonly scope?: WorkspaceScope | TenantScope;
  readonly settings?: readonly [string, string][];
}

/** The work that remains for the end of the transaction, as registered by its parts. */
interface CommitCallbacks {
  beforeCommit: { readonly work: BeforeCommitWork<unknown>; readonly items: readonly unknown[] }[];
  afterCommit: (() => void)[];
}

/** What a caller presents before a scope is known. Policies make the rows visible that it proves ownership of. */
export type Proof =
  | { readonly keyHash: string }
  | { readonly shareHash: string }
  | { readonly identitySubject: string; readonly identityEmail: string | undefined };

const MAX_ATTEMPTS = 4;

/** The share of the request connections for lists. The rest is for single-row reads and for writes. */
const LIST_LIMITS = {
  maxPermits: 6,
  maxPerOwner: 2,
  maxWaitingPerOwner: 40,
  maxWaitMs: 5_000,
  order: 'fewest_running',
} as const;

@Injectable()
export class Database implements OnApplicationShutdown {
  private readonly listPermits = new FairSemaphore(LIST_LIMITS);

  constructor(
    private readonly source: DataSource,
    private readonly dispatchPool: Pool,
    private readonly logger: Logger,
    /** Called with the SQLSTATE of each transaction that failed because the server lacks a resource. */
    private readonly onShortage: (sqlstate: string) => void = () => undefined,
  ) {
    writeExactJson(source);
  }

  /** The pool of the application's role. */
  get pool(): Pool {
    return (this.source.driver as unknown as { master: Pool }).master;
  }

  /**
   * Runs `work` in one transaction of the scope and commits it. Retries after a deadlock or a serialization failure, so
   * `work` must have no effects outside the transaction.
   */
  async inScope<Result>(
    scope: WorkspaceScope | TenantScope,
    work: (transaction: Transaction) => Promise<Result>,
  ): Promise<Result> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.attempt({ begin: beginInScopeSql(scope), scope }, work);
      } catch (error) {
        if (attempt === MAX_ATTEMPTS || !isRetryable(error)) throw error;
      }
    }
  }

  /**
   * As `inScope`, for lists and counts, whose cost grows with the tenant. The transaction is read-only, each statement
   * has a timeout of seconds, and each tenant has a limited share of the connections, so that its queries do not delay
   * others. `list` must not request another list inside.
   * @throws DomainError service_unavailable if the workspace has too many reads and this one is not scheduled in time.
   */
  async listInScope<Result>(
    scope: WorkspaceScope | TenantScope,
    list: (transaction: Transaction) => Promise<Result>,
  ): Promise<Result> {
    return withPermit(this.listPermits, scope.workspaceId, () =>
      this.attempt({ begin: beginReadOnlySql(scope), scope }, list),
    );
  }

  /**
   * Runs one statement in a transaction of the scope, in one round trip.
   * @returns its rows, after the commit.
   */
  async runStatement<Row extends QueryResultRow>(
    scope: TenantScope,
    sql: string,
    values: readonly unknown[],
    name: string,
  ): Promise<Row[]> {
    const client = await this.pool.connect();
    let broken: Error | undefined;
    try {
      return await runStatementOn<Row>(client, scope, { name, text: sql, values: [...values] });
    } catch (error) {
      this.reportShortage(error);
      if (isUnreachable(error)) broken = error instanceof Error ? error : new Error(String(error));
      throw error;
    } finally {
      client.release(broken);
    }
  }

  /** Reads the rows that a proof of possession makes visible, before any scope is known. */
  async withProof<Result>(
    proof: Proof,
    work: (transaction: Transaction) => Promise<Result>,
  ): Promise<Result> {
    return this.attempt({ begin: 'BEGIN', settings: settingsOf(proof) }, work);
  }

  /** Reads scheduling columns across tenants. */
  async acrossTenants<Row extends QueryResultRow>(
    sql: string,
    values: readonly unknown[] = [],
  ): Promise<Row[]> {
    const { rows } = await this.dispatchPool.query<Row>(sql, [...values]);
    return rows;
  }

  /** Resolves if the database responds. */
  async ping(): Promise<void> {
    await this.pool.query('SELECT 1');
  }

  async onApplicationShutdown(): Promise<void> {
    if (!this.dispatchPool.ended) await this.dispatchPool.end();
  }

  private async attempt<Result>(
    { begin, scope, settings = [] }: TransactionStart,
    work: (transaction: Transaction) => Promise<Result>,
  ): Promise<Result> {
    let result: Result;
    const runner = this.source.createQueryRunner();
    const callbacks: CommitCallbacks = { beforeCommit: [], afterCommit: [] };
    const state: { isTransactionActive: boolean } = runner;
    try {
      const client = (await runner.connect()) as PoolClient;
      try {
        // Not awaited: the connection sends the work right after it. If it failed, the work would run outside of any
        // scope, where the policies hide all rows.
        const begun = client.query(begin);
        begun.catch(() => undefined);
        // Begun above in the same round trip as the scope, so TypeORM must not begin another transaction inside.
        state.isTransactionActive = true;
        for (const [name, value] of settings)
          await client.query('SELECT set_config($1, $2, true)', [name, value]);
        const transaction = transactionOn(client, runner.manager, callbacks, scope && enterScopeSql(scope));
        result = await work(transaction);
        await runBeforeCommit(transaction, callbacks);
        await begun;
        await client.query('COMMIT');
      } catch (error) {
        await client.query('ROLLBACK').catch((rollback: unknown) => {
          throw new AggregateError([error, rollback], 'The transaction failed, and so did its connection.', {
            cause: error,
          });
        });
        throw error;
      } finally {
        state.isTransactionActive = false;
      }
    } catch (error) {
      this.reportShortage(error);
      throw error;
    } finally {
      await runner.release();
    }
    this.runAfterCommit(callbacks.afterCommit);
    return result;
  }

  private reportShortage(error: unknown): void {
    if (isResourceShortage(error)) this.onShortage(codeOf(error));
  }

  /**
   * Runs each callback separately, because the transaction is already committed and one failure must not affect the
   * others.
   */
  private runAfterCommit(callbacks: readonly (() => void)[]): void {
    for (const callback of callbacks)
      try {
        callback();
      } catch (error) {
        this.logger.error({ err: error, code: codeOf(error) }, 'A task after a commit failed');
      }
  }
}

/** The settings that the policies read for this proof. */
function settingsOf(proof: Proof): readonly [string, string][] {
  if ('keyHash' in proof) return [['app.key_hash', proof.keyHash]];
  if ('shareHash' in proof) return [['app.share_hash', proof.shareHash]];
  return [
    ['app.identity_subject', proof.identitySubject],
    ['app.identity_email', proof.identityEmail ?? ''],
  ];
}

/** Calls each work once with all of its items. */
async function runBeforeCommit(
  transaction: Transaction,
  { beforeCommit: beforeCommit }: CommitCallbacks,
): Promise<void> {
  const works = [...new Set(beforeCommit.map(({ work }) => work))].sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const work of works) {
    const items = beforeCommit.flatMap((one) => (one.work === work ? one.items : []));
    await work.store(transaction, items);
  }
}

/** @param entered the statement that set the transaction's scope; undefined if it has none. */
function transactionOn(
  client: PoolClient,
  manager: EntityManager,
  callbacks: CommitCallbacks,
  entered: string | undefined,
): Transaction {
  const run = <Row extends QueryResultRow>(
    sql: string,
    values: readonly unknown[],
    name: string | undefined,
  ) =>
    client.query<Row>(
      name === undefined ? { text: sql, values: [...values] } : { name, text: sql, values: [...values] },
    );
  return {
    manager,
    query: async <Row extends QueryResultRow>(sql: string, values: readonly unknown[] = [], name?: string) =>
      (await run<Row>(sql, values, name)).rows,
    execute: async (sql, values = [], name) => (await run(sql, values, name)).rowCount ?? 0,
    enter: async (scope) => {
      const entering = enterScopeSql(scope);
      if (entering === entered) return;
      await client.query(entering);
      entered = entering;
    },
    afterCommit: (work) => void callbacks.afterCommit.push(work),
    beforeCommit: (work, items) => {
      if (items.length > 0) callbacks.beforeCommit.push({ work: work, items });
    },
    inSavepoint: async (part) => {
      const [beforeCommitCount, afterCommitCount] = [
        callbacks.beforeCommit.length,
        callbacks.afterCommit.length,
      ];
      const before = entered;
      await client.query('SAVEPOINT apart');
      try {
        const result = await part();
        await client.query('RELEASE SAVEPOINT apart');
        return result;
      } catch (error) {
        callbacks.beforeCommit.length = beforeCommitCount;
        callbacks.afterCommit.length = afterCommitCount;
        // Also release it: otherwise an enclosing part would roll back only to here and keep its earlier changes.
        await client.query('ROLLBACK TO SAVEPOINT apart; RELEASE SAVEPOINT apart');
        // The rollback also undoes a scope that the part has set.
        entered = before;
        throw error;
      }
    },
  };
}
