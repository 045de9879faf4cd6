/**
 * Expensive or numerous queries of one tenant do not delay other tenants: they use a limited share of the
 * connections, time out, and are rejected by their cost. A lock that the test holds makes a query slow.
 */
import pg from 'pg';
import { TIME_LIMITS } from '../../src/platform/database/time-limits.js';
import { READER_ROLE, SERVICE_ROLES } from '../../src/platform/database/roles.js';
import { sharedApp, type Answer, type TestApp, type TestWorkspace } from '../support/app.js';
import { until } from '../support/until.js';

/** A text for which `strpos` waits for the lock. */
const TRAP = 'wait-here';
const LOCK = 4_711;

let service: TestApp;
let admin: pg.Client;
let attacker: TestWorkspace;
let neighbour: TestWorkspace;

beforeAll(async () => {
  service = await sharedApp();
  admin = new pg.Client({ connectionString: service.adminUrl });
  await admin.connect();
  // The reader's `strpos`, which filters use for substring searches, resolves to this function first.
  await admin.query(`
    CREATE SCHEMA trap;
    CREATE FUNCTION trap.strpos(text, text) RETURNS int LANGUAGE plpgsql AS $$
      BEGIN
        IF $2 = '${TRAP}' THEN PERFORM pg_advisory_xact_lock_shared(${LOCK}); END IF;
        RETURN pg_catalog.strpos($1, $2);
      END $$;
    GRANT USAGE ON SCHEMA trap TO waypost_reader`);
  await ofReader(`search_path = trap, pg_catalog, public`, 'statement_timeout = 0', 'lock_timeout = 0');
  [attacker, neighbour] = [await service.workspace(), await service.workspace()];
  for (const tenant of [attacker, neighbour])
    await tenant.call('POST', '/v1/contacts', { external_id: 'ann', email: 'ann@example.com' });
});

afterAll(async () => {
  // Its locks end with the session.
  await admin?.end();
  await service?.close();
});

/** Sets the reader's options in this database, for new connections. */
async function ofReader(...settings: string[]): Promise<void> {
  const { rows } = await admin.query<{ name: string }>('SELECT current_database() AS name');
  for (const setting of settings)
    await admin.query(`ALTER ROLE waypost_reader IN DATABASE "${rows[0]?.name}" SET ${setting}`);
  await admin.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE usename = 'waypost_reader' AND datname = current_database()`);
}

/** The number of queries that wait for the lock. */
async function caught(): Promise<number> {
  const { rows } = await admin.query<{ caught: number }>(`SELECT count(*)::int AS caught FROM pg_stat_activity
    WHERE usename = 'waypost_reader' AND datname = current_database() AND wait_event = 'advisory'`);
  return rows[0]?.caught ?? 0;
}

const contains = (count: number): object[] =>
  Array.from({ length: count }, () => ({ field: 'email', operator: 'contains', value: TRAP }));

const previews = (aliases: number): string =>
  `query ($conditions: JSON!) { ${Array.from({ length: aliases }, (_, i) => `a${i}: previewSegment(conditions: $conditions) { count }`).join(' ')} }`;

const codesOf = ({ body }: Answer): unknown[] =>
  (body.errors ?? []).map((error: { extensions: { code: string } }) => error.extensions.code);

test('the attack as it was found is refused before it reaches the database', async () => {
  const costly = await attacker.graphql(previews(15), { conditions: contains(100) });
  expect([costly.status, codesOf(costly)]).toEqual([400, ['query_too_costly']]);
  const long = await attacker.graphql(previews(1), { conditions: contains(100) });
  expect(codesOf(long)).toEqual(['invalid_field']);
});

test('while a tenant asks all that it may, and more, the lists and searches of others are answered', async () => {
  const made = await attacker.graphql(
    'mutation ($conditions: JSON!) { createSegment(input: { name: "Trap", conditions: $conditions }) { id } }',
    { conditions: contains(50) },
  );
  const path = `/v1/segments/${made.body.data.createSegment.id}/evaluate`;
  await admin.query('SELECT pg_advisory_lock($1)', [LOCK]);
  const attack = [
    attacker.graphql(previews(4), { conditions: contains(50) }),
    ...Array.from({ length: 16 }, () => attacker.call('POST', path)),
  ];
  await until('its questions stand at the lock', async () => (await caught()) > 0);
  const lists = [
    ...Array.from({ length: 10 }, () => neighbour.call('GET', '/v1/contacts')),
    ...Array.from({ length: 10 }, () => neighbour.call('GET', '/v1/contacts?search=ann')),
    neighbour.graphql('{ eventNames { edges { node } } contacts(search: "ann") { totalCount } }'),
  ];
  expect((await Promise.all(lists)).map(({ status }) => status)).toEqual(lists.map(() => 200));
  // Only two run, regardless of the number of requests.
  expect(await caught()).toBe(2);
  await admin.query('SELECT pg_advisory_unlock($1)', [LOCK]);
  const [, ...evaluated] = await Promise.all(attack);
  for (const { status, body } of evaluated)
    if (status !== 200) expect([status, body.code]).toEqual([503, 'service_unavailable']);
  expect(evaluated.map(({ status }) => status)).toContain(200);
});

test('a question that takes too long is given up, and says what to do', async () => {
  await ofReader("statement_timeout = '20ms'");
  await admin.query('SELECT pg_advisory_lock($1)', [LOCK]);
  const preview = await attacker.graphql(previews(1), { conditions: contains(1) });
  expect(preview.body.errors[0]).toMatchObject({
    message: expect.stringMatching(/took too long: use fewer conditions/),
    extensions: { code: 'segment_too_costly', status: 422 },
  });
  const locked = new pg.Client({ connectionString: service.adminUrl });
  await locked.connect();
  await locked.query('BEGIN; LOCK TABLE contacts');
  const search = await attacker.call('GET', '/v1/contacts?search=ann');
  expect([search.status, search.body.code, search.headers.get('retry-after')]).toEqual([
    503,
    'service_unavailable',
    '1',
  ]);
  expect(await caught()).toBe(0);
  await locked.end();
  await admin.query('SELECT pg_advisory_unlock($1)', [LOCK]);
});

test.each(SERVICE_ROLES)('whatever %s asks has an end', async (role) => {
  const { rows } = await admin.query<{ setting: string }>(
    `SELECT unnest(setconfig) AS setting FROM pg_db_role_setting
     WHERE setrole = $1::regrole AND setdatabase = 0`,
    [role],
  );
  const expected = Object.entries(TIME_LIMITS[role]).map(([name, milliseconds]) => `${name}=${milliseconds}`);
  if (role === READER_ROLE) expected.push('temp_file_limit=4GB');
  expect(rows.map(({ setting }) => setting).sort()).toEqual(expected.sort());
  for (const milliseconds of Object.values(TIME_LIMITS[role])) expect(milliseconds).toBeGreaterThan(0);
});
