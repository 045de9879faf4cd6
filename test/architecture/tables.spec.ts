/**
 * Every table has one module that owns it and contains its SQL. Other readers are listed in .table-owners.json
 * with the reason; no other module writes it.
 */
import { readFileSync } from 'node:fs';
import { filesOf } from './sources.js';
import { sqlTables, type SqlTables } from './sql-tables.js';

interface Owners {
  readonly owners: Readonly<Record<string, string>>;
  readonly readers: readonly {
    readonly module: string;
    readonly tables: readonly string[];
    readonly reason: string;
  }[];
}

const { owners, readers } = JSON.parse(readFileSync('.table-owners.json', 'utf8')) as Owners;

/** Files that may build SQL at run time, each with the reason why it cannot name another module's tables. */
const COMPUTED: readonly string[] = [
  // The same statements maintain all rollups and their pending changes.
  'src/modules/metrics/queue/metrics.work.ts',
  'src/modules/metrics/persistence/rollup-sql.ts',
  // Queries are built from rollups and rows that `source-sql.ts` names.
  'src/modules/metrics/persistence/sql/facts.ts',
  'src/modules/metrics/persistence/sql/metric-sql.ts',
  // Replaces `{table}` with the tenant's rows; the test finds the table at the call.
  'src/platform/database/reader-database.ts',
  // Deletes the rows of a deleted workspace from every table.
  'src/platform/database/workspace-rows.ts',
];

const files = filesOf('src').filter(
  (file) => file.endsWith('.ts') && !file.endsWith('.spec.ts') && !file.startsWith('src/migrations/'),
);

const sources = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]));
const sqlOf = new Map([...sources].map(([file, source]) => [file, sqlTables(source)]));

function moduleOf(file: string): string {
  const [, room = '', module = ''] = file.split('/');
  return room === 'modules' ? module : room;
}

/** Tables that the module's SQL names without permission. */
function trespasses(module: string, { named }: SqlTables): string[] {
  return named.flatMap(({ table, access }) => {
    const owner = owners[table];
    if (owner === undefined || owner === module) return [];
    const isDeclared = readers.some((each) => each.module === module && each.tables.includes(table));
    return isDeclared && access === 'read' ? [] : [`${module} ${access}s ${table} of ${owner}`];
  });
}

test('every table that is mapped by an entity has an owner, which is the module that maps it', () => {
  const mapped = [...sources].flatMap(([file, source]) =>
    [...source.matchAll(/@Entity\('(\w+)'[,)]/g)].map(([, table]) => [table, moduleOf(file)]),
  );
  expect(Object.fromEntries(mapped)).toEqual(owners);
});

test('no module names a table of another in SQL, but where it is declared', () => {
  expect(
    [...sqlOf].flatMap(([file, sql]) => trespasses(moduleOf(file), sql).map((what) => `${file}: ${what}`)),
  ).toEqual([]);
});

test('no name of a table is put together out of sight', () => {
  const odd = [...sqlOf].filter(([, { computed }]) => computed.length > 0);
  expect(odd.map(([file]) => file).sort()).toEqual([...COMPUTED].sort());
});

test('what is declared is needed, and has a reason', () => {
  const used = new Set(
    [...sqlOf].flatMap(([file, { named }]) => named.map(({ table }) => `${moduleOf(file)} ${table}`)),
  );
  const idle = readers.flatMap(({ module, tables }) =>
    tables.filter((table) => !used.has(`${module} ${table}`)),
  );
  expect(idle).toEqual([]);
  expect(readers.filter(({ reason }) => reason.length < 30)).toEqual([]);
});

describe('a statement of flows that names a table of others', () => {
  test.each([
    ['SELECT 1 FROM trips', ['flows reads trips of trips']],
    ['SELECT 1 FROM flows f LEFT JOIN trips AS t ON true', ['flows reads trips of trips']],
    ['SELECT 1 FROM flows, trips t', ['flows reads trips of trips']],
    ['SELECT 1 FROM flows AS f, LATERAL (SELECT 1 FROM trips) AS t', ['flows reads trips of trips']],
    ['SELECT 1 FROM {trips} t', ['flows reads trips of trips']],
    ['SELECT 1 FROM ONLY "trips"', ['flows reads trips of trips']],
    ['WITH f AS (SELECT 1 FROM flows) SELECT (SELECT 1 FROM trips) FROM f', ['flows reads trips of trips']],
    ['UPDATE trips SET status = 1', ['flows writes trips of trips']],
    ['DELETE FROM trips', ['flows writes trips of trips']],
    ['DELETE FROM flows USING trips', ['flows reads trips of trips']],
    [
      'INSERT INTO trips SELECT 1 FROM contacts',
      ['flows writes trips of trips', 'flows reads contacts of contacts'],
    ],
    ['TRUNCATE flows, trips', ['flows writes trips of trips']],
  ])('is seen: %s', (sql, found) => {
    for (const quote of ["'", '`'])
      expect(trespasses('flows', sqlTables(`const SQL = ${quote}${sql}${quote};`))).toEqual(found);
  });

  test.each([
    'SELECT trips FROM flows ORDER BY trips FOR UPDATE',
    'INSERT INTO flows VALUES (1) ON CONFLICT DO UPDATE SET name = 1',
    'SELECT count(*) AS trips FROM flows',
  ])('is not seen where there is none: %s', (sql) =>
    expect(trespasses('flows', sqlTables(`// SELECT 1 FROM trips\nconst SQL = '${sql}';`))).toEqual([]),
  );

  test('is seen as put together', () => {
    expect(sqlTables('const SQL = `SELECT 1 FROM ${table} t`;').computed).toHaveLength(1);
    expect(sqlTables('const SQL = `SELECT 1 FROM ${unnest(3)}`;').computed).toEqual([]);
  });

  test('is one even where reading it is declared, when it writes', () =>
    expect(
      trespasses('reports', sqlTables("const SQL = 'DELETE FROM trips WHERE id IN (SELECT id FROM flows)';")),
    ).toEqual(['reports writes trips of trips']));
});
