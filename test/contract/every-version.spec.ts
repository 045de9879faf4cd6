/**
 * Every schema that an installation may stand on, from the first release on, with rows in all of its tables, becomes
 * today's: the same in the server's catalogue as a fresh installation's, with every row still there. And every
 * migration can be taken back.
 */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { adminDataSource } from '../../src/platform/database/data-source.js';
import { migrate } from '../../src/platform/database/migrate.js';
import { SCHEMA } from '../../src/processes/schema.js';
import { catalogueOf } from '../support/catalogue.js';
import { rowOf } from '../support/rows.js';

type Catalogue = Awaited<ReturnType<typeof catalogueOf>>;

const W = '0190a5d2-7c3e-7b61-9a3e-4f5f0c0ffeea';
const server = process.env['TEST_DATABASE_URL'] ?? '';
const steps = SCHEMA.migrations.map(({ name }, index) => [index + 1, name] as const);
const NEWEST = steps.length;
const upTo = (version: number) => ({
  entities: SCHEMA.entities,
  migrations: SCHEMA.migrations.slice(0, version),
});
let root: pg.Client;
let fresh: Catalogue;

beforeAll(async () => {
  root = new pg.Client({ connectionString: server });
  await root.connect();
  fresh = await inDatabase(async (url, admin) => {
    await migrate(url, SCHEMA);
    return catalogueOf(admin);
  });
});
afterAll(() => root.end());

/** Works in an empty database of its own. */
async function inDatabase<Result>(work: (url: string, admin: pg.Client) => Promise<Result>): Promise<Result> {
  const name = `test_version_${randomBytes(6).toString('hex')}`;
  const url = Object.assign(new URL(server), { pathname: `/${name}` }).toString();
  await root.query(`CREATE DATABASE ${name}`);
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  try {
    return await work(url, admin);
  } finally {
    await admin.end();
    await root.query(`DROP DATABASE ${name} WITH (FORCE)`);
  }
}

async function tables(admin: pg.Client): Promise<string[]> {
  const { rows } = await admin.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'schema_migrations' ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}

/** Sums that others have taken the place of. */
const GIVEN_UP = ['engagement_hours', 'trip_hours'];

/** Puts a row into every table: what it must have, and nothing else. */
async function fill(admin: pg.Client): Promise<Map<string, number>> {
  const names = await tables(admin);
  for (const table of names) {
    const row = await rowOf(admin, table, { workspace_id: W });
    const places = Object.keys(row).map((_, i) => `$${i + 1}`);
    await admin.query(
      `INSERT INTO ${table} (${Object.keys(row).join(', ')}) VALUES (${places.join(', ')})`,
      Object.values(row),
    );
  }
  // Triggers may have added some.
  return counts(
    admin,
    names.filter((name) => !GIVEN_UP.includes(name)),
  );
}

async function counts(admin: pg.Client, names: Iterable<string>): Promise<Map<string, number>> {
  const counted = new Map<string, number>();
  for (const name of names) {
    const { rows } = await admin.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${name}`);
    counted.set(name, rows[0]?.n ?? 0);
  }
  return counted;
}

describe.each(steps)('version %i, %s', (version) => {
  test('becomes the newest, with its rows', () =>
    inDatabase(async (url, admin) => {
      await migrate(url, upTo(version));
      const filled = await fill(admin);
      expect(filled.size).toBeGreaterThan(10);
      expect(await migrate(url, SCHEMA)).toHaveLength(NEWEST - version);
      expect(await catalogueOf(admin)).toEqual(fresh);
      expect(await counts(admin, filled.keys())).toEqual(filled);
    }));

  test('is left again as it was found', () =>
    inDatabase(async (url, admin) => {
      if (version > 1) await migrate(url, upTo(version - 1));
      const before = await ours(admin);
      await migrate(url, upTo(version));
      await fill(admin);
      const source = await adminDataSource(url, upTo(version)).initialize();
      await source.undoLastMigration({ transaction: 'each' });
      await source.destroy();
      expect(await ours(admin)).toEqual(before);
      await migrate(url, SCHEMA);
      expect(await catalogueOf(admin)).toEqual(fresh);
    }));
});

/** The catalogue without the list of migrations, which TypeORM keeps. */
async function ours(admin: pg.Client): Promise<Catalogue> {
  const catalogue = await catalogueOf(admin);
  return Object.fromEntries(
    Object.entries(catalogue).map(([what, lines]) => [
      what,
      lines.filter((line) => !line.includes('schema_migrations')),
    ]),
  );
}
