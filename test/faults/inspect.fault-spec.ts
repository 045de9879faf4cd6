/**
 * The worker is killed while inspection runs wait and while they execute: each run completes, and each version is
 * charged once.
 */
import type { ServiceProcess } from '../support/service-process.js';
import { repetitions } from '../support/test-scope.js';
import { until } from '../support/until.js';
import { startWorkerFixture, type WorkerFixture } from '../support/worker-fixture.js';

const RUNS = repetitions({ short: 4, full: 12 });
/** Fewer than the number after which a run fails, so that every run completes. */
const KILLS = 2;
/** Expensive enough to be killed during, and cheap enough to complete. */
const BODY = '<p>Hello</p><a href="https://example.invalid/a">A</a>'.repeat(400);

let fixture: WorkerFixture;

beforeAll(async () => {
  fixture = await startWorkerFixture({ CLOCK_SPEED: '10' });
});
afterAll(() => fixture?.close());

const newWorker = (): Promise<ServiceProcess> => fixture.startWorker('inspections,full-inspections');

/** Inserts runs as requests leave them: half of them full runs that have taken a credit. */
async function dueRuns(workspaceId: string): Promise<void> {
  await fixture.database.query(
    `INSERT INTO inspect_jobs (workspace_id, id, environment, template_id, template_slug, template_version, content, channel, mode,
       trigger, status, checks, credits_charged, requested_by, created_at, due_at)
     SELECT $1, gen_random_uuid(), 'live', gen_random_uuid(), 'welcome', 1,
       jsonb_build_object('subject', 'Hello', 'bodyHtml', $2::text, 'bodyText', 'Hello', 'templateLanguage', NULL), 'email',
       CASE WHEN n % 2 = 0 THEN 'full' ELSE 'quick' END, 'request', 'queued', '[]', (n + 1) % 2, 'somebody', now() - interval '1 day',
       now() - interval '1 day' FROM generate_series(1, $3) AS n`,
    [workspaceId, BODY, RUNS],
  );
  await fixture.database.query(
    `INSERT INTO inspect_credit_entries (workspace_id, id, delta, reason, job_id, template_id, template_slug, template_version, created_at)
     SELECT workspace_id, gen_random_uuid(), -1, 'full_run', id, template_id, template_slug, template_version, created_at
     FROM inspect_jobs WHERE workspace_id = $1 AND credits_charged = 1`,
    [workspaceId],
  );
}

async function standing(): Promise<Record<string, number>> {
  const { rows } = await fixture.database.query<{ status: string; n: number }>(
    'SELECT status, count(*)::int AS n FROM inspect_jobs GROUP BY 1',
  );
  return Object.fromEntries(rows.map(({ status, n }) => [status, n]));
}

test('each run comes to its end though its worker is killed, and nothing is charged or found twice', async () => {
  const { id } = await fixture.workspace();
  await dueRuns(id);
  for (let kill = 0; kill < KILLS; kill++) {
    const { completed: before = 0 } = await standing();
    const worker = await newWorker();
    await until('a run is in hand', async () => {
      const { running = 0, completed = 0 } = await standing();
      return running > 0 || completed > before;
    });
    worker.child.kill('SIGKILL');
    await worker.gone();
  }
  await newWorker();
  await until(
    'all runs have ended',
    async () => {
      const { completed = 0, failed = 0 } = await standing();
      return completed + failed === RUNS;
    },
    standing,
  );
  const { rows } = await fixture.database.query<{
    status: string;
    charged: number;
    entries: number;
    twice: number;
  }>(
    `SELECT j.status, j.credits_charged AS charged,
         (SELECT coalesce(sum(delta), 0)::int FROM inspect_credit_entries e WHERE e.job_id = j.id) AS entries,
         (SELECT count(*)::int - count(DISTINCT (code, line, "column", message))::int FROM inspect_findings f WHERE f.job_id = j.id) AS twice
       FROM inspect_jobs j`,
  );
  for (const { status, charged, entries, twice } of rows)
    expect({ status, entries, twice }).toEqual({ status: 'completed', entries: 0 - charged, twice: 0 });
});
