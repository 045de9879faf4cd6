/**
 * A poison row kills every worker process that works on it. It is isolated from its neighbours and from other tenants'
 * work after a bounded number of deaths, and becomes a dead letter; everything else is done.
 */
import { figure } from '../support/figure.js';
import type { ServiceProcess } from '../support/service-process.js';
import { until } from '../support/until.js';
import { startWorkerFixture, type WorkerFixture } from '../support/worker-fixture.js';

/** Once unsuspected, once in a batch, and twice isolated. */
const MOST_DEATHS = 4;
const NEIGHBOURS = 40;
/** The advisory lock on which the poison row waits until its worker is killed. */
const POISON = 7_288_099;

let fixture: WorkerFixture;
let tenants: readonly string[];

beforeAll(async () => {
  fixture = await startWorkerFixture();
  const [ill, sound] = [await fixture.workspace(), await fixture.workspace()];
  tenants = [ill.id, sound.id];
});

afterAll(() => fixture.close());

async function count(sql: string): Promise<number> {
  const { rows } = await fixture.database.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${sql}`);
  return rows[0]?.n ?? 0;
}

test('a worker dies of a row again and again: the row is set aside, and nothing else is', async () => {
  const { database } = fixture;
  // A process that stores the poison contact waits here until the test has killed it.
  await database.query(`CREATE FUNCTION poison() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN PERFORM pg_advisory_xact_lock(${POISON}); RETURN NEW; END $$;
    CREATE TRIGGER poison BEFORE INSERT ON contacts FOR EACH ROW WHEN (NEW.external_id = 'poison') EXECUTE FUNCTION poison()`);
  await database.query('SELECT pg_advisory_lock($1)', [POISON]);
  await database.query(
    `INSERT INTO events (workspace_id, environment, id, external_id, event_name, attributes, occurred_at, received_at)
     SELECT t, 'live', gen_random_uuid(),
       CASE WHEN i = ${NEIGHBOURS / 2} AND t = $2 THEN 'poison' ELSE 'u' || i END, 'signed_up', '{}', now(), now()
     FROM unnest($1::uuid[]) AS t, generate_series(0, ${NEIGHBOURS}) AS i`,
    [tenants, tenants[0]],
  );
  const isAside = async (): Promise<boolean> => (await count('set_aside_work')) > 0;
  const isInHand = async (): Promise<boolean> =>
    (await count(`pg_locks WHERE locktype = 'advisory' AND objid = ${POISON} AND NOT granted`)) > 0;
  let deaths = 0;
  let worker: ServiceProcess;
  for (;;) {
    worker = await fixture.startWorker('events');
    await until('the row is in hand, or known', async () => (await isInHand()) || (await isAside()));
    if (await isAside()) break;
    worker.child.kill('SIGKILL');
    await worker.gone();
    // A PostgreSQL backend that waits for a lock does not notice that its client is gone.
    await database.query(
      `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND objid = ${POISON} AND NOT granted`,
    );
    await until('its work is given back', async () => !(await isInHand()));
    deaths++;
    expect(deaths).toBeLessThanOrEqual(MOST_DEATHS);
  }
  figure(`Known after ${deaths} deaths.`);
  await until(
    'everything else is done',
    async () => (await count('contacts')) === 2 * NEIGHBOURS + 1,
    () => count('contacts'),
  );
  const { rows } = await database.query(
    `SELECT s.code, e.external_id FROM set_aside_work s JOIN events e ON e.id = s.subject_id`,
  );
  expect(rows).toEqual([{ code: 'worker_died', external_id: 'poison' }]);
  expect(await count('events WHERE processed_at IS NULL')).toBe(0);
  expect((await worker.stop()).code).toBe(0);
});
