/** Tests tenant isolation of queries that run without row-level security. */
import { inlineParameters, tenantSql } from './reader-database.js';

const scope = { workspaceId: '0190a5d2-7c3e-7b61-9a3e-4f5f0c0ffeea', environment: 'live' } as const;
const ROWS = `WHERE workspace_id = '${scope.workspaceId}' AND environment = 'live')`;

test('a table in braces stands for the rows of the tenant', () => {
  expect(tenantSql(scope, 'SELECT c.id FROM {contacts} c JOIN {flows} f ON true')).toBe(
    `SELECT c.id FROM (SELECT * FROM contacts ${ROWS} c JOIN (SELECT * FROM flows WHERE workspace_id = '${scope.workspaceId}') f ON true`,
  );
});

test.each([
  ['a bare table', 'SELECT * FROM contacts'],
  ['a bare table in capitals', 'SELECT * FROM CONTACTS'],
  ['a bare table in quotes', 'SELECT * FROM "contacts"'],
  ['a bare table with its schema', 'SELECT * FROM public.contacts c, {events} e'],
  ['a bare table whose schema ends like an alias', 'SELECT * FROM {contacts} c, "c.x".events e'],
  ['a bare table behind a longer name', 'SELECT * FROM abc.events e'],
  ['a bare table beside a right one', 'SELECT * FROM {contacts} c, events e'],
  ['a table that is not surveyed', 'SELECT * FROM {api_keys} k'],
  ['a comment', 'SELECT 1 -- contacts'],
  ['a comment within', 'SELECT /* x */ 1'],
  ['a dollar quote', 'SELECT $$contacts$$'],
])('%s is refused', (_, sql) => expect(() => tenantSql(scope, sql)).toThrow(TypeError));

test.each([
  ['a text that names a table', "SELECT 'contacts' AS kind FROM {contacts} c"],
  ['a column whose name holds one', 'SELECT c.contacts_total, u.events_seen FROM {contacts} c, {events} u'],
  [
    'a column of an alias that is called like one',
    'SELECT sum(r.trips), (a.events) FROM {trip_rollups} r, {events} a',
  ],
])('%s is fine', (_, sql) => expect(() => tenantSql(scope, sql)).not.toThrow());

test('a scope that is none is refused', () => {
  expect(() => tenantSql({ ...scope, workspaceId: "x' OR true --" }, 'SELECT 1')).toThrow(TypeError);
  expect(() => tenantSql({ ...scope, environment: 'x' as never }, 'SELECT 1')).toThrow(TypeError);
});

test('parameters are written out as literals that end where they should', () =>
  expect(
    inlineParameters('$1 $2::text[] $3 $10 $1', ["O'Neil", ['a', "b'"], new Date(0), 4, 5, 6, 7, 8, 9, 10]),
  ).toBe("'O''Neil' ARRAY['a', 'b''']::text[] '1970-01-01T00:00:00.000Z' 10 'O''Neil'"));
