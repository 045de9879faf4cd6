/**
 * Reference for the engine: claim 500 due trips with a lease and advance them, with one statement and one commit
 * for each and no work in between. Its table has the minimum columns of a trip.
 */
import pg from 'pg';
import { rated } from '../processor-time.js';
import { answerQuestions } from '../program.js';

export interface ClaimQuestion {
  readonly databaseUrl: string;
  /** The server, whose processor time is reported next to the program's own. */
  readonly postgresPid: number;
  readonly due: number;
  /** Number of connections that claim concurrently. */
  readonly workers: number;
}

const BATCH = 500;

const TABLE = `
DROP TABLE IF EXISTS trips;
CREATE TABLE trips (
  id uuid PRIMARY KEY DEFAULT uuidv7(), workspace_id uuid NOT NULL, flow_id uuid NOT NULL, contact_id uuid NOT NULL,
  status smallint NOT NULL, step integer NOT NULL, resume_at timestamptz, lease_until timestamptz,
  context jsonb NOT NULL DEFAULT '{}', updated_at timestamptz NOT NULL DEFAULT now()) WITH (fillfactor = 80);
CREATE INDEX trips_due ON trips (resume_at) WHERE status = 1;
CREATE INDEX trips_flow ON trips (flow_id, contact_id);`;

const FILL = `
INSERT INTO trips (workspace_id, flow_id, contact_id, status, step, resume_at)
SELECT '0190a5d2-7c3e-7b61-9a3e-4f5f0c0ffee0', gen_random_uuid(), gen_random_uuid(), 1, 2, now() - interval '1 s'
FROM generate_series(1, $1)`;

const CLAIM = `
UPDATE trips SET lease_until = now() + interval '60 s', status = 2, updated_at = now()
WHERE id = ANY (ARRAY(SELECT id FROM trips WHERE status = 1 AND resume_at <= now() ORDER BY resume_at LIMIT ${BATCH}
                      FOR UPDATE SKIP LOCKED))
RETURNING id, flow_id, contact_id, step, context`;

const ADVANCE = `
UPDATE trips t SET status = 3, step = t.step + 1, resume_at = NULL, lease_until = NULL, updated_at = now()
FROM unnest($1::uuid[]) AS u(id) WHERE t.id = u.id`;

/** Answers the rate of trips. */
answerQuestions<ClaimQuestion>(async ({ databaseUrl, postgresPid, due, workers }) => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: workers });
  await pool.query(TABLE);
  await pool.query(FILL, [due]);
  await pool.query('VACUUM ANALYZE trips');
  await pool.query('CHECKPOINT');
  let advanced = 0;
  const rate = await rated(due, { program: process.pid, PostgreSQL: postgresPid }, async () => {
    const counts = await Promise.all(Array.from({ length: workers }, () => work(pool)));
    advanced = counts.reduce((sum, count) => sum + count, 0);
  });
  const { rows } = await pool.query<{ count: string }>(
    'SELECT count(*) FROM trips WHERE status = 3 AND step = 3',
  );
  if (advanced !== due || Number(rows[0]?.count) !== due)
    throw new Error(`${advanced} of ${due} trips were claimed, ${rows[0]?.count} advanced.`);
  return rate;
});

async function work(pool: pg.Pool): Promise<number> {
  for (let advanced = 0; ;) {
    const { rows } = await pool.query<{ id: string }>({ name: 'claim', text: CLAIM });
    if (rows.length === 0) return advanced;
    await pool.query({ name: 'advance', text: ADVANCE, values: [rows.map(({ id }) => id)] });
    advanced += rows.length;
  }
}
