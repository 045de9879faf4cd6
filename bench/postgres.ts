/**
 * The one PostgreSQL of a run, for references and product alike: the service's embedded one, durable, in a folder
 * that is gone afterwards. Each has a database of its own on it.
 */
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import type * as keeper from '../src/platform/embedded/postgres-keeper.js';

/**
 * Beyond the house's own: room for everybody's connections, no checkpoint in the middle of a measurement, and the moment of
 * each commit, to tell how late waits end.
 */
const SETTINGS = { max_connections: '200', max_wal_size: '8GB', track_commit_timestamp: 'on' };
/** What must hold for an answer to mean that the data is safe. */
const DURABLE = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' } as const;

export class BenchPostgres {
  private readonly admins = new Map<string, pg.Client>();

  private constructor(
    private readonly server: keeper.EmbeddedPostgres,
    private readonly folder: string,
  ) {}

  static async start(): Promise<BenchPostgres> {
    const folder = mkdtempSync(join(tmpdir(), 'waypost-bench-'));
    // PostgreSQL's own user has to reach its folder.
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

  /** The administrator's address of a database. */
  urlOf(database: string): string {
    const url = new URL(this.server.url);
    url.pathname = `/${database}`;
    return url.toString();
  }

  /** Makes an empty database and gives its address. */
  async create(database: string): Promise<string> {
    await this.query('waypost', `CREATE DATABASE ${database}`);
    return this.urlOf(database);
  }

  /** Runs a statement as the administrator, whom no policy binds. */
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

  /** The number that a query for one gives. */
  async number(database: string, sql: string, values: readonly unknown[] = []): Promise<number> {
    const [row] = await this.query<Record<string, unknown>>(database, sql, values);
    return Number(Object.values(row ?? {})[0]);
  }

  /** Process number of the server, from whom all its processes descend. */
  get pid(): number {
    return Number(readFileSync(join(this.folder, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
  }

  async stop(): Promise<void> {
    for (const admin of this.admins.values()) await admin.end();
    await this.server.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
