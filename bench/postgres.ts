/**
 * The one PostgreSQL server of a run, for references and product: the service's embedded server with durable
 * settings, in a temporary folder. Each program has its own database on it.
 */
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import type * as keeper from '../src/platform/embedded/postgres-keeper.js';

/**
 * In addition to the service's settings: enough connections for all programs, no checkpoint during a measurement,
 * and the time of each commit, which shows how late waits end.
 */
const SETTINGS = { max_connections: '200', max_wal_size: '8GB', track_commit_timestamp: 'on' };
/** Settings without which an answer would not mean that the data is safe. */
const DURABLE = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' } as const;

export class BenchPostgres {
  private readonly admins = new Map<string, pg.Client>();

  private constructor(
    private readonly server: keeper.EmbeddedPostgres,
    private readonly folder: string,
  ) {}

  static async start(): Promise<BenchPostgres> {
    const folder = mkdtempSync(join(tmpdir(), 'waypost-bench-'));
    // PostgreSQL's own user must be able to reach its folder.
    chmodSync(folder, 0o755);
    const built = pathToFileURL(
      join(process.cwd(), 'dist', 'platform', 'embedded', 'postgres-keeper.js'),
    ).href;
    const { startEmbeddedPostgres } = (await import(built)) as typeof keeper;
    const server = await startEmbeddedPostgres({ dataDir: folder, settings: { ...SETTINGS, ...DURABLE } });
    const postgres = new BenchPostgres(server, folder);
    for (const [name, value] of Object.entries(DURABLE)) {
      const [row] = await postgres.query<Record<string, string>>('waypost', `SHOW ${name}`);
      if (row?.[name] !== value)
        throw new Error(`PostgreSQL runs with ${name} = ${row?.[name]}: nothing durable is measured.`);
    }
    return postgres;
  }

  /** The administrator's connection URL of a database. */
  urlOf(database: string): string {
    const url = new URL(this.server.url);
    url.pathname = `/${database}`;
    return url.toString();
  }

  /** Creates an empty database and returns its URL. */
  async create(database: string): Promise<string> {
    await this.query('waypost', `CREATE DATABASE ${database}`);
    return this.urlOf(database);
  }

  /** Runs a statement as the administrator, to whom no row-level policy applies. */
  async query<Row extends pg.QueryResultRow>(
    database: string,
    sql: string,
    values: readonly unknown[] = [],
  ): Promise<Row[]> {
    let admin = this.admins.get(database);
    if (!admin) {
      admin = new pg.Client({ connectionString: this.urlOf(database) });
      await admin.connect();
      this.admins.set(database, admin);
    }
    const { rows } = await admin.query<Row>(sql, [...values]);
    return rows;
  }

  /** The single number that a query returns. */
  async number(database: string, sql: string, values: readonly unknown[] = []): Promise<number> {
    const [row] = await this.query<Record<string, unknown>>(database, sql, values);
    return Number(Object.values(row ?? {})[0]);
  }

  /** Process id of the server, the parent of all its processes. */
  get pid(): number {
    return Number(readFileSync(join(this.folder, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
  }

  async stop(): Promise<void> {
    for (const admin of this.admins.values()) await admin.end();
    await this.server.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
