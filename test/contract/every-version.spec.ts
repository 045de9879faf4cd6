/**
 * Upgrades from every released schema, with rows in all tables. The result must match the catalogue of a fresh
 * installation and keep every row, and each migration can be reverted. The short run tests the first version and
 * the latest ones, since released migrations do not change; the full run tests every version.
 */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { adminDataSource } from '../../src/platform/database/data-source.js';
import { migrate } from '../../src/platform/database/migrate.js';
import { SCHEMA } from '../../src/processes/schema.js';
import { catalogueOf } from '../support/catalogue.js';
import { rowOf } from '../support/rows.js';
import { repetitions } from '../support/test-scope.js';

type Catalogue = Awaited<ReturnType<typeof catalogueOf>>;

const W = '0190a5d2-7c3e-7b61-9a3e-4f5f0c0ffeea';
const server = process.env['TEST_DATABASE_URL'] ?? '';
const steps = SCHEMA.migrations.map(({ name }, index) => [index + 1, name] as const);
const NEWEST = steps.length;
const LATEST = 3;
const tried = repetitions({
  short: steps.filter(([version]) => version === 1 || version > NEWEST - LATEST),
  full: steps,
});
/** Migrations need no entities, and loading hundreds of entities takes longer than a migration. */
const upTo = (version: number) => ({ entities: [], migrations: SCHEMA.migrations.slice(0, version) });
let root: pg.Client;
let fresh: Catalogue;
/**
 * The template database of all tests. It is at version `standing` and is migrated to later versions as tests need
 * them.
 */
let base: string;
let standing = 0;

beforeAll(async () => {
  root = new pg.Client({ connectionString: server });
  await root.connect();
  base = await create('template0');
  fresh = await inCopy(0, async (url, admin) => {
    await migrate(url, SCHEMA);
    return catalogueOf(admin);
  });
});
afterAll(async () => {
  await drop(base);
  await root.end();
});

async function create(template: string): Promise<string> {
  const name = `test_version_${randomBytes(6).toString('hex')}`;
  await root.query(`CREATE DATABASE ${name} TEMPLATE ${template}`);
  return name;
}

async function drop(name: string): Promise<void> {
  await root.query(`DROP DATABASE ${name} WITH (FORCE)`);
}

function urlOf(name: string): string {
  return Object.assign(new URL(server), { pathname: `/${name}` }).toString();
}

/**
 * Runs work in its own copy of a database at a version (0 is an empty database). Versions must be requested in
 * ascending order.
 */
async function inCopy<Result>(
  version: number,
  work: (url: string, admin: pg.Client) => Promise<Result>,
): Promise<Result> {
  if (version > standing) await migrate(urlOf(base), upTo(version));
  standing = version;
  const name = await create(base);
  const url = urlOf(name);
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  try {
    return await work(url, admin);
  } finally {
    await admin.end();
    await drop(name);
  }
}

async function tables(admin: pg.Client): Promise<string[]> {
  const { rows } = await admin.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'schema_migrations' ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}

/** Rollup tables that other tables have replaced. */
const GIVEN_UP = ['engagement_hours', 'trip_hours'];

/** Inserts a row with only the required columns into every table. */
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
  // Triggers may have added rows.
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

test.each(tried)(
  'version %i, %s, is left again as it was found, and becomes the newest, with its rows',
  (version) =>
    inCopy(version - 1, async (url, admin) => {
      const before = await ours(admin);
      await migrate(url, upTo(version));
      const after = await catalogueOf(admin);
      await fill(admin);
      const source = await adminDataSource(url, upTo(version)).initialize();
      await source.undoLastMigration({ transaction: 'each' });
      await source.destroy();
      expect(await ours(admin)).toEqual(before);

      await migrate(url, upTo(version));
      expect(await catalogueOf(admin)).toEqual(after);
      await admin.query(`TRUNCATE ${(await tables(admin)).join(', ')}`);
      const filled = await fill(admin);
      expect(filled.size).toBeGreaterThan(10);
      expect(await migrate(url, upTo(NEWEST))).toHaveLength(NEWEST - version);
      expect(await catalogueOf(admin)).toEqual(fresh);
      expect(await counts(admin, filled.keys())).toEqual(filled);
    }),
);

/** The catalogue without the table of migrations, which TypeORM manages. */
async function ours(admin: pg.Client): Promise<Catalogue> {
  const catalogue = await catalogueOf(admin);
  return Object.fromEntries(
    Object.entries(catalogue).map(([what, lines]) => [
      what,
      lines.filter((line) => !line.includes('schema_migrations')),
    ]),
  );
}
