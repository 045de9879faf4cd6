/**
 * Reads over a whole tenant: segments, search, exports, reports. PostgreSQL may use no index for ILIKE, `@>` and their
 * like under a row policy, so these run as a role that sees every tenant and writes nothing. What keeps tenants apart
 * here is that a query can name a table only as `{contacts}`, which stands for the tenant's rows of it.
 */
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { pipeline, type Readable } from 'node:stream';
import pg, { type Pool, type PoolClient, type QueryResultRow } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { DomainError } from '../../kernel/domain-error.js';
import { ENVIRONMENTS, isUuid, type TenantScope } from '../../kernel/tenant-scope.js';
import { assertAwaited, callerSignal } from './caller-signal.js';
import { isTooCostly } from './database-error.js';
import { inTurn } from './in-turn.js';
import { Shares } from './shares.js';
import { StallCut } from './stall-cut.js';
import { StreamSlots } from './stream-slots.js';
import { allow, STREAM } from './time-limits.js';

/** Tables that belong to one environment of a workspace. */
const BY_ENVIRONMENT = [
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
/** Tables that belong to a workspace as a whole. */
const BY_WORKSPACE = ['flows', 'templates', 'segments'] as const;

/** What the reader may see; the migrations grant the same tables. */
export const SURVEYED: readonly string[] = [...BY_ENVIRONMENT, ...BY_WORKSPACE];

const PLACE = /\{([a-z]\w*)\}/g;
/** What an alias of one or two letters leads is a column, which may be called like a table. */
const COLUMN = String.raw`(?<!(?<![\w"])[a-z]{1,2}\.)`;
const BARE = new RegExp(`(?<![\\w{'])${COLUMN}"?(?:${SURVEYED.join('|')})"?(?![\\w}"'])`, 'i');
/** Texts and comments could hide a table's name from a look at the words. */
const QUOTED = /'(?:[^']|'')*'/g;

/** Files that are written while they are read; of one workspace few, so that slow readers of one keep nobody waiting. */
const STREAMS = {
  most: 6,
  mostOfOne: 2,
  patience: 15_000,
  slowAfter: 10_000,
  undisturbedFor: 60_000,
} as const;
/**
 * Everything else that is asked. However many questions one request holds, its workspace has two connections for them;
 * others wait in line, as many as the aliases and lists of a request or two make.
 */
const READINGS = { most: 8, mostOfOne: 2, mostWaitingOfOne: 40, patience: 5_000 } as const;
/** Everybody of a tenant looked at in parts, which takes as long as there are people: one of a workspace at a time. */
const WALKS = { most: 2, mostOfOne: 1, mostWaitingOfOne: 5, patience: 5_000 } as const;
/** Connections for surveys that a process needs, so that neither files nor questions nor walks wait for the other. */
export const SURVEY_CONNECTIONS = STREAMS.most + READINGS.most + WALKS.most;
/**
 * What the reader of a file takes at least: 32 KB a second, averaged over a minute, since the network between takes
 * megabytes at a time; and how long a question may find nothing to write into a file.
 */
const STALLS = { pace: 32_768, grace: 60_000, silence: 2 * 60_000 } as const;
/** Seconds after which a stream that was refused may be asked for again. */
const RETRY_AFTER = 10;

@Injectable()
export class Survey implements OnApplicationShutdown {
  private readonly streams = new StreamSlots(STREAMS);
  private readonly readings = new Shares(READINGS);
  private readonly walks = new Shares(WALKS);

  constructor(
    private readonly pool: Pool,
    /** Is told of each file that was cut off, and why. */
    private readonly onCut: (scope: TenantScope, reason: string) => void = () => undefined,
  ) {}

  /**
   * Runs one query over the tenant's rows, in the tenant's share of connections and of time.
   * @param sql names tables as `{contacts}`, each with an alias behind it; parameters from `$1`.
   * @throws DomainError service_unavailable when the workspace reads so much that its turn does not come.
   */
  async query<Row extends QueryResultRow>(
    scope: TenantScope,
    sql: string,
    values: readonly unknown[] = [],
  ): Promise<Row[]> {
    const text = ofTenant(scope, sql);
    return inTurn(
      this.readings,
      scope.workspaceId,
      async () => (await this.pool.query<Row>(text, [...values])).rows,
    );
  }

  /**
   * As `query`, for questions that join everybody with what everybody did: without loops, which would never end where
   * many rows were taken for few.
   */
  async queryAll<Row extends QueryResultRow>(
    scope: TenantScope,
    sql: string,
    values: readonly unknown[] = [],
  ): Promise<Row[]> {
    const text = ofTenant(scope, sql);
    return inTurn(this.readings, scope.workspaceId, async () => {
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
   * As `queryAll`, for questions with as many rows as the tenant has: gives them part by part, of which one is held at a
   * time. Each part is looked for within the time of a question; how long all of them take is `visit`'s to end.
   * @param size rows of a part.
   * @param visit is waited for before the next part is looked for; what it throws ends the walk.
   * @throws DomainError service_unavailable also once nobody waits for the answer any more.
   */
  async walk<Row extends QueryResultRow>(
    scope: TenantScope,
    sql: string,
    values: readonly unknown[],
    size: number,
    visit: (rows: readonly Row[]) => Promise<void>,
  ): Promise<void> {
    const text = ofTenant(scope, sql);
    await inTurn(this.walks, scope.workspaceId, async () => {
      const client = await this.pool.connect();
      let failed = true;
      try {
        await client.query('BEGIN; SET LOCAL enable_nestloop = off');
        await client.query(`DECLARE walk NO SCROLL CURSOR FOR ${text}`, [...values]);
        for (;;) {
          const { rows } = await client.query<Row>(`FETCH ${size} FROM walk`);
          if (rows.length > 0) await visit(rows);
          if (rows.length < size) break;
          assertAwaited();
        }
        await client.query('COMMIT');
        failed = false;
      } finally {
        client.release(failed);
      }
    });
  }

  /**
   * Streams a query's rows as `COPY` writes them, at the pace of whoever reads. Its connection is given back when it
   * ends or is destroyed. It fails when its reader falls a minute behind 32 KB a second, when it gives way to a workspace
   * that has no stream, when nothing is found for two minutes, and after two hours in all.
   * @param sql as for `query`.
   * @param format options of COPY, such as `FORMAT csv, HEADER true`.
   * @throws DomainError service_unavailable while the workspace has as many streams as may be, and when a workspace
   *   without one has waited in vain.
   */
  async copy(scope: TenantScope, sql: string, values: readonly unknown[], format: string): Promise<Readable> {
    const text = `COPY (${inlined(ofTenant(scope, sql), values)}) TO STDOUT WITH (${format})`;
    const slot = await this.streams.take(scope.workspaceId, callerSignal());
    if (!slot)
      throw new DomainError(
        'service_unavailable',
        'Other exports are running: try again when one has finished.',
        { retry_after: RETRY_AFTER },
      );
    try {
      assertAwaited();
      const rows = await this.rows(text);
      const file = new StallCut(STALLS);
      slot.hold(file);
      // Whoever reads the file hears of an error in it, and whoever stops reading ends it.
      return pipeline(rows, file, (error) => {
        slot.free();
        if (error instanceof DomainError) this.onCut(scope, error.detail);
        else if (isTooCostly(error)) this.onCut(scope, 'PostgreSQL cancelled the query.');
      });
    } catch (error) {
      slot.free();
      throw error;
    }
  }

  async onApplicationShutdown(): Promise<void> {
    if (!this.pool.ended) await this.pool.end();
  }

  private async rows(copy: string): Promise<Readable> {
    const client: PoolClient & { readonly processID?: number } = await this.pool.connect();
    let released = false;
    const release = (broken: boolean): void => {
      if (released) return;
      released = true;
      client.release(broken);
    };
    try {
      await client.query(`BEGIN; ${allow(STREAM)}`);
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
      // A reader that goes away leaves a COPY in the middle: its connection cannot be used for anything else.
      stream.once('error', () => release(true));
      stream.once('close', () => {
        if (stream.readableEnded) return;
        release(true);
        // A server that finds nothing to write does not see that nobody reads.
        this.pool.query('SELECT pg_cancel_backend($1)', [client.processID]).catch(() => undefined);
      });
      return stream;
    } catch (error) {
      release(true);
      throw error;
    }
  }
}

/** The query with its parameters written out, for COPY, which takes none. */
export function inlined(sql: string, values: readonly unknown[]): string {
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
 * The query with every `{table}` replaced by the tenant's rows of it.
 * @throws TypeError for a table that is not surveyed, and for one that is named without braces.
 */
export function ofTenant({ workspaceId, environment }: TenantScope, sql: string): string {
  if (!isUuid(workspaceId) || !ENVIRONMENTS.includes(environment))
    throw new TypeError('A reader query needs a workspace and an environment.');
  const words = sql.replace(QUOTED, "''");
  if (/--|\/\*|\$\w*\$|E'/i.test(words))
    throw new TypeError('A reader query must not contain comments or dollar quotes.');
  const bare = BARE.exec(words.replace(PLACE, ' '));
  if (bare) throw new TypeError(`A reader query must name its tables in braces: {${bare[0]}}.`);
  return sql.replace(PLACE, (_, table: string) => {
    if (BY_ENVIRONMENT.includes(table as (typeof BY_ENVIRONMENT)[number]))
      return `(SELECT * FROM ${table} WHERE workspace_id = '${workspaceId}' AND environment = '${environment}')`;
    if (BY_WORKSPACE.includes(table as (typeof BY_WORKSPACE)[number]))
      return `(SELECT * FROM ${table} WHERE workspace_id = '${workspaceId}')`;
    throw new TypeError(`The table ${table} cannot be read by reader queries.`);
  });
}
