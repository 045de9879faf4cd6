/**
 * SQL is only in the modules' `persistence/` folders, in the database platform and in migrations, so that a
 * module's queries are easy to find. The queue and the embedded server have their own connections. The definition of a
 * queue contains the SQL that finds its tenants, and leaves running it to the platform.
 */
import { readFileSync } from 'node:fs';
import { filesOf } from './sources.js';
import { isSql, sqlTables, textsIn } from './sql-tables.js';

const ROOMS = /^src\/(?:modules\/[^/]+\/persistence|platform\/(?:database|queue|embedded)|migrations)\//;

/** Definitions of queues. */
const WORK = /^src\/modules\/[^/]+\/queue\/[a-z-]+\.work\.ts$/;

/** Calls that run SQL, independent of the source of its text. */
const RUNS = /\b(?:tx|transaction|database|survey|pool|client)\.(?:query|execute|copy|acrossTenants|once)\b/;

function callsIn(source: string): string[] {
  return source.split('\n').filter((line) => RUNS.test(line) && !/^\s*(?:\/?\*|\/\/)/.test(line));
}

function sqlIn(source: string): string[] {
  return [...textsIn(source).filter(isSql), ...callsIn(source)].map((found) => found.trim());
}

const sources = filesOf('src').filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'));

test('SQL stands in its rooms alone', () => {
  const elsewhere = sources.filter((file) => !ROOMS.test(file) && !WORK.test(file));
  expect(elsewhere.length).toBeGreaterThan(300);
  expect(
    elsewhere.flatMap((file) => sqlIn(readFileSync(file, 'utf8')).map((sql) => `${file}: ${sql}`)),
  ).toEqual([]);
});

test('the definition of a queue runs no SQL, and its SQL changes nothing', () => {
  const definitions = sources.filter((file) => WORK.test(file));
  expect(definitions.length).toBeGreaterThan(10);
  const odd = definitions.filter((file) => {
    const source = readFileSync(file, 'utf8');
    return callsIn(source).length > 0 || sqlTables(source).named.some(({ access }) => access === 'write');
  });
  expect(odd).toEqual([]);
});

test.each([
  'const SQL = `WITH RECURSIVE tenant AS (SELECT 1 FROM trips) SELECT * FROM tenant`;',
  'const SQL = `\nSELECT id FROM trips`;',
  "const SQL = 'INSERT INTO trips VALUES (1)';",
  "const SQL = 'UPDATE trips t SET status = 1';",
  "const SQL = 'DELETE FROM trips';",
  'const from = `FROM {contacts} c WHERE ${condition}`;',
  'const isFree = (id: string) => `NOT EXISTS (SELECT FROM trips s WHERE s.id = ${id})`;',
  'await tx.query(enterScope(tenant));',
  'return this.database.acrossTenants(DUE);',
])('is found: %s', (source) => expect(sqlIn(source)).not.toEqual([]));

test.each([
  "const WORDS = 'Select a template from the list, where you can';",
  "const WORDS = 'Messages that are not delivered: update the settings';",
  '// SELECT 1 FROM trips\nconst count = 1;',
  "const METHODS = ['DELETE', 'UPDATE'];",
])('is not found where there is none: %s', (source) => expect(sqlIn(source)).toEqual([]));
