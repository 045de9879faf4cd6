/**
 * The only way to a tenant's rows: a unit of work that opens a transaction in a scope. Row-level security answers
 * queries outside of one with nothing. Also the entrance for the few look-ups that come before a scope is known
 * (an API key, a person's memberships, a report's link) and for the dispatcher's view across tenants.
 */
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Pool, PoolClient, QueryResultRow } from 'pg';
import type { Logger } from 'pino';
import type { TenantScope, WorkspaceScope } from '../../kernel/tenant-scope.js';
import { codeOf, isRetryable, isShortage, isUnreachable } from './database-error.js';
import { writeExactJson } from './exact-json.js';
import './moments.js';
import { inTurn } from './in-turn.js';
import { onceOn } from './once.js';
import { beginInScope, beginReading, enterScope } from './row-level-security.js';
import { Shares } from './shares.js';

export { codeOf, isOutOfTime, isPassing, isShortage, isTooCostly, isUnreachable } from './database-error.js';

/** A transaction that is open in a scope. */
export interface Transaction {
  /** TypeORM's manager on this transaction, for the storage of single records. */
  readonly manager: EntityManager;
  /**
   * Runs SQL over whole sets and gives its rows.
   * @param name prepares the statement under that name on the connection, for statements of the hot paths.
   */
  query<Row extends QueryResultRow>(sql: string, values?: readonly unknown[], name?: string): Promise<Row[]>;
  /** Runs a statement and gives the number of rows that it changed. */
  execute(sql: string, values?: readonly unknown[], name?: string): Promise<number>;
  /** Makes the transaction one of this scope from here on; nothing is asked of the server where it is one already. */
  enter(scope: WorkspaceScope | TenantScope): Promise<void>;
  /**
   * Has something done once the transaction is committed, and not at all where it is undone: bells to ring, metrics to
   * count. Must not wait for anything; where it throws the transaction stays committed, and what else follows is done.
   */
  afterCommit(work: () => void): void;
  /**
   * Has something stored as the last thing before the commit, together with all else that is handed to the same work:
   * rows that many transactions want are so held for a moment only, and always in the same order.
   */
  beforeCommit<Item>(work: LastWork<Item>, items: readonly Item[]): void;
  /**
   * Runs a part that may fail by itself: what it has done, and what it has handed to `afterCommit`, is undone where it
   * throws, and the transaction goes on; likewise what it has handed to `beforeCommit`.
   * @throws what `part` throws.
   */
  apart<Result>(part: () => Promise<Result>): Promise<Result>;
}

/** What is stored as the last thing of a transaction, see `beforeCommit`; moves it to whatever scope it needs. */
export interface LastWork<Item> {
  /** Says when it is its turn: works are done in the order of their names. */
  readonly name: string;
  store(tx: Transaction, items: readonly Item[]): Promise<void>;
}

/** How a transaction begins. */
interface Opening {
  readonly begin: string;
  /** The scope that `begin` makes it one of. */
  readonly scope?: WorkspaceScope | TenantScope;
  readonly settings?: readonly [string, string][];
}

/** What a transaction has still to do, as its parts have handed it over. */
interface Remaining {
  last: { readonly work: LastWork<unknown>; readonly items: readonly unknown[] }[];
  following: (() => void)[];
}

/** What a caller holds before a scope is known; policies let it see the rows that it proves to own. */
export type Proof =
  | { readonly keyHash: string }
  | { readonly shareHash: string }
  | { readonly identitySubject: string; readonly identityEmail: string | undefined };

const TRIES = 4;

/** Of the connections of requests; what is left is for those that ask for one row, or write. */
const LISTS = { most: 6, mostOfOne: 2, mostWaitingOfOne: 40, patience: 5_000 } as const;

@Injectable()
export class Database implements OnApplicationShutdown {
  private readonly lists = new Shares(LISTS);

  constructor(
    private readonly source: DataSource,
    private readonly dispatchPool: Pool,
    private readonly logger: Logger,
    /** Is told the SQLSTATE of each transaction that failed since the server lacks something. */
    private readonly onShortage: (sqlstate: string) => void = () => undefined,
  ) {
    writeExactJson(source);
  }

  /** The pool that the application's role works on. */
  get pool(): Pool {
    return (this.source.driver as unknown as { master: Pool }).master;
  }

  /**
   * Runs `work` in one transaction of the scope and commits it. A deadlock or a serialization failure runs it
   * again, so `work` must do nothing outside of the transaction.
   */
  async inScope<Result>(
    scope: WorkspaceScope | TenantScope,
    work: (transaction: Transaction) => Promise<Result>,
  ): Promise<Result> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.attempt({ begin: beginInScope(scope), scope }, work);
      } catch (error) {
        if (attempt === TRIES || !isRetryable(error)) throw error;
      }
    }
  }

  /**
   * As `inScope`, for lists and counts, which grow with the tenant: nothing is written, each statement has seconds, and
   * the tenant has a share of the connections, so that its questions keep nobody else's waiting. `list` must not ask
   * for another list inside.
   * @throws DomainError service_unavailable when the workspace reads so much that its turn does not come.
   */
  async listInScope<Result>(
    scope: WorkspaceScope | TenantScope,
    list: (transaction: Transaction) => Promise<Result>,
  ): Promise<Result> {
    return inTurn(this.lists, scope.workspaceId, () =>
      this.attempt({ begin: beginReading(scope), scope }, list),
    );
  }

  /**
   * Runs one statement in a transaction of the scope, all of it in one round trip.
   * @returns the rows that it gives, once what it changed is committed.
   */
  async once<Row extends QueryResultRow>(
    scope: TenantScope,
    sql: string,
    values: readonly unknown[],
    name: string,
  ): Promise<Row[]> {
    const client = await this.pool.connect();
    let broken: Error | undefined;
    try {
      return await onceOn<Row>(client, scope, { name, text: sql, values: [...values] });
    } catch (error) {
      this.noteShortage(error);
      if (isUnreachable(error)) broken = error instanceof Error ? error : new Error(String(error));
      throw error;
    } finally {
      client.release(broken);
    }
  }

  /** Reads the rows that a proof of possession opens, before any scope is known. */
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

  /** Answers when the database answers. */
  async ping(): Promise<void> {
    await this.pool.query('SELECT 1');
  }

  async onApplicationShutdown(): Promise<void> {
    if (!this.dispatchPool.ended) await this.dispatchPool.end();
  }

  private async attempt<Result>(
    { begin, scope, settings = [] }: Opening,
    work: (transaction: Transaction) => Promise<Result>,
  ): Promise<Result> {
    let result: Result;
    const runner = this.source.createQueryRunner();
    const remaining: Remaining = { last: [], following: [] };
    const state: { isTransactionActive: boolean } = runner;
    try {
      const client = (await runner.connect()) as PoolClient;
      try {
        // Not waited for: the connection sends the work right behind it. Were it to fail, the work would be outside of
        // any scope and meet closed policies.
        const begun = client.query(begin);
        begun.catch(() => undefined);
        // Opened above in the same round trip as the scope; TypeORM must not open another one inside.
        state.isTransactionActive = true;
        for (const [name, value] of settings)
          await client.query('SELECT set_config($1, $2, true)', [name, value]);
        const transaction = transactionOn(client, runner.manager, remaining, scope && enterScope(scope));
        result = await work(transaction);
        await storeLast(transaction, remaining);
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
      this.noteShortage(error);
      throw error;
    } finally {
      await runner.release();
    }
    this.follow(remaining.following);
    return result;
  }

  private noteShortage(error: unknown): void {
    if (isShortage(error)) this.onShortage(codeOf(error));
  }

  /** Each by itself: what is committed has been done, whatever comes of what follows. */
  private follow(following: readonly (() => void)[]): void {
    for (const follow of following)
      try {
        follow();
      } catch (error) {
        this.logger.error({ err: error, code: codeOf(error) }, 'A task after a commit failed');
      }
  }
}

/** What the policies read that a proof opens. */
function settingsOf(proof: Proof): readonly [string, string][] {
  if ('keyHash' in proof) return [['app.key_hash', proof.keyHash]];
  if ('shareHash' in proof) return [['app.share_hash', proof.shareHash]];
  return [
    ['app.identity_subject', proof.identitySubject],
    ['app.identity_email', proof.identityEmail ?? ''],
  ];
}

/** One call for each work, with all that was handed to it. */
async function storeLast(transaction: Transaction, { last }: Remaining): Promise<void> {
  const works = [...new Set(last.map(({ work }) => work))].sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const work of works) {
    const items = last.flatMap((one) => (one.work === work ? one.items : []));
    await work.store(transaction, items);
  }
}

/** @param entered the statement that made the transaction one of its scope; undefined where it is of none. */
function transactionOn(
  client: PoolClient,
  manager: EntityManager,
  remaining: Remaining,
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
      const entering = enterScope(scope);
      if (entering === entered) return;
      await client.query(entering);
      entered = entering;
    },
    afterCommit: (work) => void remaining.following.push(work),
    beforeCommit: (work, items) => {
      if (items.length > 0) remaining.last.push({ work: work, items });
    },
    apart: async (part) => {
      const [last, following] = [remaining.last.length, remaining.following.length];
      const before = entered;
      await client.query('SAVEPOINT apart');
      try {
        const result = await part();
        await client.query('RELEASE SAVEPOINT apart');
        return result;
      } catch (error) {
        remaining.last.length = last;
        remaining.following.length = following;
        // Released as well: else a part around this one would go back to here alone, and keep what it did before.
        await client.query('ROLLBACK TO SAVEPOINT apart; RELEASE SAVEPOINT apart');
        // What a part has set is undone with it.
        entered = before;
        throw error;
      }
    },
  };
}
