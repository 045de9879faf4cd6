/**
 * Reads over a whole tenant: segments, search, exports, reports. Under a row policy PostgreSQL cannot use an index for
 * ILIKE, `@>` and similar operators, so these queries run as a role that sees every tenant and writes nothing. Tenant
 * isolation comes from the syntax: a query can name a table only as `{contacts}`, which expands to the tenant's rows.
 */
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { pipeline, type Readable } from 'node:stream';
import pg, { type Pool, type PoolClient, type QueryResultRow } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { DomainError } from '../../kernel/domain-error.js';
import { ENVIRONMENTS, isUuid, type TenantScope } from '../../kernel/tenant-scope.js';
import { assertCallerWaiting, callerSignal } from './caller-signal.js';
import { isTooCostly } from './database-error.js';
import { withPermit } from './with-permit.js';
import { FairSemaphore } from '../concurrency/fair-semaphore.js';
import { StallGuard } from './stall-guard.js';
import { StreamSlots } from './stream-slots.js';
import { setStatementTimeoutSql, STREAM_TIMEOUT_MS } from './time-limits.js';

/** Tables that belong to one environment of a workspace. */
const ENVIRONMENT_TABLES = [
  'contacts',
  'events',
  'latest_events',
  'segment_members',
  'trips',
  'email_logs',
  'campaigns',
  'email_rollups',
  'email_changes',
  'trip_rollups',
  'trip_changes',
  'step_rollups',
  'step_changes',
  'event_rollups',
  'event_changes',
  'event_people',
  'contact_rollups',
  'contact_changes',
  'contact_turns',
  'contact_activity',
  'provider_event_days',
] as const;
/** Tables that belong to a whole workspace. */
const WORKSPACE_TABLES = ['flows', 'templates', 'segments'] as const;

/** The tables that the reader may query. The migrations grant the same tables. */
export const READABLE_TABLES: readonly string[] = [...ENVIRONMENT_TABLES, ...WORKSPACE_TABLES];

const TABLE_PLACEHOLDER = /\{([a-z]\w*)\}/g;
/** A name after an alias of one or two letters is a column, which may have the name of a table. */
const NOT_A_COLUMN = String.raw`(?<!(?<![\w"])[a-z]{1,2}\.)`;
const BARE_TABLE_NAME = new RegExp(
  `(?<![\\w{'])${NOT_A_COLUMN}"?(?:${READABLE_TABLES.join('|')})"?(?![\\w}"'])`,
  'i',
);
/** Strings and comments could hide a table's name from the check. */
const STRING_LITERAL = /'(?:[^']|'')*'/g;

/**
 * Limits for files that are streamed while they are generated. Few per workspace, so that slow readers do not block
 * others.
 */
const STREAM_LIMITS = {
  maxPermits: 6,
  maxPerOwner: 2,
  maxWaitMs: 15_000,
  slowAfterMs: 10_000,
  protectedMs: 60_000,
} as const;
/**
 * Limits for all other queries. A workspace has two connections, however many queries one request contains. Others wait
 * in a queue long enough for the aliases and lists of one or two requests.
 */
const QUERY_LIMITS = {
  maxPermits: 8,
  maxPerOwner: 2,
  maxWaitingPerOwner: 40,
  maxWaitMs: 5_000,
  order: 'fewest_running',
} as const;
/** Limits for walks, which read all contacts of a tenant in parts and take time in proportion. One per workspace. */
const WALK_LIMITS = {
  maxPermits: 2,
  maxPerOwner: 1,
  maxWaitingPerOwner: 5,
  maxWaitMs: 5_000,
  order: 'fewest_running',
} as const;
/** Number of connections that a process needs, so that files, queries and walks do not wait for each other. */
export const READER_CONNECTIONS = STREAM_LIMITS.maxPermits + QUERY_LIMITS.maxPermits + WALK_LIMITS.maxPermits;
/**
 * Minimum pace of a file's reader: 32 KB per second, averaged over a minute because network buffers take megabytes at a
 * time. Also how long a query may produce no output for a file.
 */
const STALL_LIMITS = { minBytesPerSecond: 32_768, maxLagMs: 60_000, maxSilenceMs: 2 * 60_000 } as const;
/** Seconds after which a rejected stream may be retried. */
const RETRY_AFTER_SECONDS = 10;

@Injectable()
export class ReaderDatabase implements OnApplicationShutdown {
  private readonly streams = new StreamSlots(STREAM_LIMITS);
  private readonly queryPermits = new FairSemaphore(QUERY_LIMITS);
  private readonly walkPermits = new FairSemaphore(WALK_LIMITS);

  constructor(
    private readonly pool: Pool,
    /** Called for each file that was aborted, with the reason. */
    private readonly onAbort: (scope: TenantScope, reason: string) => void = () => undefined,
  ) {}

  /**
   * Runs one query over the tenant's rows, within the tenant's share of connections and time.
   * @param sql names tables as `{contacts}`, each followed by an alias; parameters start at `$1`.
   * @throws DomainError service_unavailable if the workspace has too many reads and this one is not scheduled in time.
   */
  async query<Row extends QueryResultRow>(
    scope: TenantScope,
    sql: string,
    values: readonly unknown[] = [],
  ): Promise<Row[]> {
    const text = tenantSql(scope, sql);
    return withPermit(
      this.queryPermits,
      scope.workspaceId,
      async () => (await this.pool.query<Row>(text, [...values])).rows,
    );
  }

  /**
   * As `query`, for queries that join all contacts with all of their activity. Disables nested loops, which might never
   * finish if the planner underestimates the number of rows.
   */
  async queryAll<Row extends QueryResultRow>(
    scope: TenantScope,
    sql: string,
    values: readonly unknown[] = [],
  ): Promise<Row[]> {
    const text = tenantSql(scope, sql);
    return withPermit(this.queryPermits, scope.workspaceId, async () => {
      const client = await this.pool.connect();
      let failed = true;
      try {
        await client.query('BEGIN; SET LOCAL enable_nestloop = off');
        const { rows } = await client.query<Row>(text, [...values]);
        await client.query('COMMIT');
        failed = false;
        return rows;
      } finally {
        client.release(failed);
      }
    });
  }

  /**
   * As `queryAll`, for results as large as the tenant. Returns them in parts and holds one part in memory at a time.
   * Each part has the time limit of a query; `visit` decides when to stop the whole walk.
   * @param size rows per part.
   * @param visit awaited before the next part is read; an error that it throws ends the walk.
   * @throws DomainError service_unavailable also if the caller no longer waits.
   */
  async walk<Row extends QueryResultRow>(
    scope: TenantScope,
    sql: string,
    values: readonly unknown[],
    size: number,
    visit: (rows: readonly Row[]) => Promise<void>,
  ): Promise<void> {
    const text = tenantSql(scope, sql);
    await withPermit(this.walkPermits, scope.workspaceId, async () => {
      const client = await this.pool.connect();
      let failed = true;
      try {
        await client.query('BEGIN; SET LOCAL enable_nestloop = off');
        await client.query(`DECLARE walk NO SCROLL CURSOR FOR ${text}`, [...values]);
        for (;;) {
          const { rows } = await client.query<Row>(`FETCH ${size} FROM walk`);
          if (rows.length > 0) await visit(rows);
          if (rows.length < size) break;
          assertCallerWaiting();
        }
        await client.query('COMMIT');
        failed = false;
      } finally {
        client.release(failed);
      }
    });
  }

  /**
   * Streams a query's rows in `COPY` format at the reader's pace. Releases its connection when the stream ends or is
   * destroyed. The stream fails if its reader falls a minute behind 32 KB per second, if it is evicted for a workspace
   * that has no stream, if no row is found for two minutes, and after two hours in total.
   * @param sql as for `query`.
   * @param format options of COPY, such as `FORMAT csv, HEADER true`.
   * @throws DomainError service_unavailable if the workspace has reached its stream limit, or if a workspace without a
   *   stream waited for a slot in vain.
   */
  async copy(scope: TenantScope, sql: string, values: readonly unknown[], format: string): Promise<Readable> {
    const text = `COPY (${inlineParameters(tenantSql(scope, sql), values)}) TO STDOUT WITH (${format})`;
    const slot = await this.streams.acquire(scope.workspaceId, callerSignal());
    if (!slot)
      throw new DomainError(
        'service_unavailable',
        'Other exports are running: try again when one has finished.',
        { retry_after: RETRY_AFTER_SECONDS },
      );
    try {
      assertCallerWaiting();
      const rows = await this.openCopy(text);
      const file = new StallGuard(STALL_LIMITS);
      slot.attach(file);
      // The file's reader receives errors from it, and aborts it by no longer reading.
      return pipeline(rows, file, (error) => {
        slot.release();
        if (error instanceof DomainError) this.onAbort(scope, error.detail);
        else if (isTooCostly(error)) this.onAbort(scope, 'PostgreSQL cancelled the query.');
      });
    } catch (error) {
      slot.release();
      throw error;
    }
  }

  async onApplicationShutdown(): Promise<void> {
    if (!this.pool.ended) await this.pool.end();
  }

  private async openCopy(copy: string): Promise<Readable> {
    const client: PoolClient & { readonly processID?: number } = await this.pool.connect();
    let released = false;
    const release = (broken: boolean): void => {
      if (released) return;
      released = true;
      client.release(broken);
    };
    try {
      await client.query(`BEGIN; ${setStatementTimeoutSql(STREAM_TIMEOUT_MS)}`);
      const stream = client.query(copyTo(copy));
      const commit = (): Promise<unknown> => client.query('COMMIT');
      stream.once(
        'end',
        () =>
          void commit().then(
            () => release(false),
            () => release(true),
          ),
      );
      // If the reader disconnects, the COPY is incomplete and its connection cannot be reused.
      stream.once('error', () => release(true));
      stream.once('close', () => {
        if (stream.readableEnded) return;
        release(true);
        // A server that has nothing to write does not notice that the reader is gone.
        this.pool.query('SELECT pg_cancel_backend($1)', [client.processID]).catch(() => undefined);
      });
      return stream;
    } catch (error) {
      release(true);
      throw error;
    }
  }
}

/** Inlines the parameters of a query for COPY, which accepts none. */
export function inlineParameters(sql: string, values: readonly unknown[]): string {
  return sql.replace(/\$(\d+)/g, (_, number: string) => literal(values[Number(number) - 1]));
}

function literal(value: unknown): string {
  if (Array.isArray(value)) return `ARRAY[${value.map(literal).join(', ')}]`;
  if (value instanceof Date) return literal(value.toISOString());
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return String(value);
  if (typeof value === 'string') return pg.escapeLiteral(value);
  throw new TypeError('A reader query takes strings, numbers, booleans, dates and lists of them.');
}

/**
 * Replaces every `{table}` of a query by the tenant's rows of it.
 * @throws TypeError for a table that is not permitted, and for a table named without braces.
 */
export function tenantSql({ workspaceId, environment }: TenantScope, sql: string): string {
  if (!isUuid(workspaceId) || !ENVIRONMENTS.includes(environment))
    throw new TypeError('A reader query needs a workspace and an environment.');
  const withoutStrings = sql.replace(STRING_LITERAL, "''");
  if (/--|\/\*|\$\w*\$|E'/i.test(withoutStrings))
    throw new TypeError('A reader query must not contain comments or dollar quotes.');
  const bare = BARE_TABLE_NAME.exec(withoutStrings.replace(TABLE_PLACEHOLDER, ' '));
  if (bare) throw new TypeError(`A reader query must name its tables in braces: {${bare[0]}}.`);
  return sql.replace(TABLE_PLACEHOLDER, (_, table: string) => {
    if (ENVIRONMENT_TABLES.includes(table as (typeof ENVIRONMENT_TABLES)[number]))
      return `(SELECT * FROM ${table} WHERE workspace_id = '${workspaceId}' AND environment = '${environment}')`;
    if (WORKSPACE_TABLES.includes(table as (typeof WORKSPACE_TABLES)[number]))
      return `(SELECT * FROM ${table} WHERE workspace_id = '${workspaceId}')`;
    throw new TypeError(`The table ${table} cannot be read by reader queries.`);
  });
}
