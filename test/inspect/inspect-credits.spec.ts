/**
 * Credits of full runs (section 8.2) on the real database. The plan grants exactly its cap, concurrent requests
 * pay once per version, a failed run returns its credit, and a renewal starts a new month.
 */
import pg from 'pg';
import { UsageRenewal } from '../../src/modules/limits/application/usage-renewal.js';
import { PLANS } from '../../src/modules/limits/domain/plan.js';
import { InspectCredits } from '../../src/modules/inspect/application/inspect-credits.js';
import { InspectRunner } from '../../src/modules/inspect/application/inspect-runner.js';
import { InspectRuns } from '../../src/modules/inspect/application/inspect-runs.js';
import { RETAINED_RUNS_PER_TEMPLATE, RUN_ERRORS } from '../../src/modules/inspect/domain/runs/run-bounds.js';
import { InspectWorkRepository } from '../../src/modules/inspect/persistence/inspect-work.repository.js';
import { Database } from '../../src/platform/database/database.js';
import { sharedApp, type TestApp, type TestWorkspace } from '../support/app.js';
import { DAY, MINUTE } from '../support/clock.js';

const { free } = PLANS;
const FULL = { channel: 'email', mode: 'full', subject: null, preheader: null, contactId: null } as const;

let app: TestApp;
let admin: pg.Client;
let workspace: TestWorkspace;

beforeAll(async () => {
  app = await sharedApp();
  admin = new pg.Client({ connectionString: app.adminUrl });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await app.close();
});
beforeEach(async () => {
  workspace = await app.workspace({ plan: 'free' });
});

const scope = (): { workspaceId: string; environment: 'live' } => ({
  workspaceId: workspace.id,
  environment: 'live',
});

async function save(slug: string): Promise<void> {
  const body = { name: slug, slug, subject: 'Hello', body_html: '<p>Hello</p>' };
  expect((await workspace.call('POST', '/v1/templates', body)).status).toBe(201);
}

const ask = (templateSlug: string): Promise<{ id: string; creditsCharged: number }> =>
  app.app.get(InspectRuns, { strict: false }).request(scope(), free, { ...FULL, templateSlug }, 'somebody');

const account = (): ReturnType<InspectCredits['account']> =>
  app.app.get(InspectCredits, { strict: false }).account(scope(), free);

/** Claims the first due run, like a worker. */
const claim = (): ReturnType<InspectWorkRepository['claim']> =>
  app.app
    .get(Database)
    .inScope(scope(), (tx) =>
      app.app.get(InspectWorkRepository, { strict: false }).claim(tx, scope(), 'full', app.clock.now(), []),
    );

const renew = (): Promise<void> =>
  app.app
    .get(Database)
    .inScope({ workspaceId: workspace.id }, (tx) =>
      app.app.get(UsageRenewal, { strict: false }).renew(tx, scope(), app.clock.now()),
    );

/** Completes a claimed run, like a worker. */
const completed = (id: string): Promise<unknown> =>
  admin.query(
    `UPDATE inspect_jobs SET status = 'completed', due_at = NULL, worker = NULL, content = NULL WHERE workspace_id = $1 AND id = $2`,
    [workspace.id, id],
  );

const ledger = async (): Promise<number[]> => (await account()).ledger.map(({ delta }) => delta);

/** Claims a run that has used up its attempts. */
async function lastClaim(id: string): ReturnType<typeof claim> {
  await admin.query(
    `UPDATE inspect_jobs SET attempts = 3, due_at = created_at - interval '1 year' WHERE workspace_id = $1 AND id = $2`,
    [workspace.id, id],
  );
  return claim();
}

async function failed(id: string): Promise<void> {
  const job = await lastClaim(id);
  if (job?.id !== id) throw new Error('The run is not to be had.');
  await app.app.get(InspectRunner, { strict: false }).execute(scope(), job);
}

/** Fails the run like one whose worker dies repeatedly. */
async function failing(): Promise<void> {
  for (let attempt = 1; attempt <= 4; attempt++) {
    const job = await claim();
    if (!job) throw new Error('There is no run to be made.');
    if (attempt === 4) {
      await app.app.get(InspectRunner, { strict: false }).execute(scope(), job);
      return;
    }
    // Its process is dead.
    await admin.query('UPDATE inspect_jobs SET worker = 1 WHERE workspace_id = $1 AND id = $2', [
      workspace.id,
      job.id,
    ]);
    app.clock.wind(MINUTE);
  }
}

test('many that ask for one version at once pay once', async () => {
  await save('one');
  const runs = await Promise.all(Array.from({ length: 10 }, () => ask('one')));
  expect(runs.map(({ creditsCharged }) => creditsCharged).sort()).toEqual([...Array<number>(9).fill(0), 1]);
  expect(await account()).toMatchObject({ balance: 4, monthly: 5, used: 1 });
  expect((await account()).ledger).toHaveLength(1);
});

test('of many versions at once as many are taken as there are credits, and the others leave nothing', async () => {
  const slugs = Array.from({ length: 9 }, (_, n) => `many-${n}`);
  for (const slug of slugs) await save(slug);
  const runs = await Promise.allSettled(slugs.map(ask));
  const refused = runs.flatMap((run) => (run.status === 'rejected' ? [run.reason as unknown] : []));
  expect(refused).toHaveLength(4);
  expect(refused[0]).toMatchObject({ code: 'plan_limit_reached' });
  expect(await account()).toMatchObject({ balance: 0, used: 5 });
  const { rows } = await admin.query('SELECT 1 FROM inspect_jobs WHERE workspace_id = $1', [workspace.id]);
  expect(rows).toHaveLength(5);
});

test('a run that fails gives its credit back, and its retry pays again', async () => {
  await save('one');
  const { id } = await ask('one');
  await failing();
  const runs = app.app.get(InspectRuns, { strict: false });
  expect(await runs.get(scope(), id)).toMatchObject({ status: 'failed', error: RUN_ERRORS.worker_died });
  expect(await account()).toMatchObject({ balance: 5, used: 0 });
  expect((await ask('one')).creditsCharged).toBe(1);
  const { ledger, used } = await account();
  expect([used, ledger.map(({ delta, reason }) => [delta, reason])]).toEqual([
    1,
    [
      [-1, 'full_run'],
      [1, 'failed_run'],
      [-1, 'full_run'],
    ],
  ]);
});

test('a renewal begins the month anew; what was paid stays paid, and what fails later gives nothing back', async () => {
  await save('one');
  await save('two');
  await ask('one');
  app.clock.wind(1);
  await renew();
  expect(await account()).toMatchObject({ balance: 5, used: 0 });
  expect((await account()).ledger).toHaveLength(1);
  expect((await ask('one')).creditsCharged).toBe(0);
  expect((await ask('two')).creditsCharged).toBe(1);
  await failing();
  expect(await account()).toMatchObject({ balance: 4, used: 1 });
});

describe('two runs of a version, of which the one that paid fails', () => {
  test('the other has completed: it is paid', async () => {
    await save('one');
    const { id } = await ask('one');
    await completed((await ask('one')).id);
    await failed(id);
    expect(await account()).toMatchObject({ balance: 4, used: 1 });
    expect(await ledger()).toEqual([-1]);
    expect((await ask('one')).creditsCharged).toBe(0);
  });

  test('the other is under way: the charge is its own, and is given back when it fails as well', async () => {
    await save('one');
    const first = await ask('one');
    app.clock.wind(1);
    const second = await ask('one');
    await failed(first.id);
    const runs = app.app.get(InspectRuns, { strict: false });
    expect(await runs.get(scope(), first.id)).toMatchObject({ status: 'failed', creditsCharged: 0 });
    expect(await runs.get(scope(), second.id)).toMatchObject({ status: 'queued', creditsCharged: 1 });
    expect(await account()).toMatchObject({ balance: 4, used: 1 });
    const third = await ask('one');
    expect(third.creditsCharged).toBe(0);
    await failed(second.id);
    expect(await account()).toMatchObject({ balance: 4, used: 1 });
    await failed(third.id);
    expect(await account()).toMatchObject({ balance: 5, used: 0 });
    expect(await ledger()).toEqual([1, -1]);
  });

  test('the charge moves to a run that is in hand already', async () => {
    await save('one');
    const first = await ask('one');
    app.clock.wind(1);
    const second = await lastClaim((await ask('one')).id);
    if (!second) throw new Error('There is no run to be made.');
    await admin.query(`UPDATE inspect_jobs SET status = 'running', worker = $2, attempts = 4 WHERE id = $1`, [
      first.id,
      second.worker,
    ]);
    const runner = app.app.get(InspectRunner, { strict: false });
    await runner.execute(scope(), { ...second, ...first });
    expect(await account()).toMatchObject({ balance: 4, used: 1 });
    // The worker read the run before it was charged.
    expect(second.creditsCharged).toBe(0);
    await runner.execute(scope(), second);
    expect(await account()).toMatchObject({ balance: 5, used: 0 });
    expect(await ledger()).toEqual([1, -1]);
  });

  test('a charge that has moved is given back to the month of which it was taken', async () => {
    await save('one');
    const first = await ask('one');
    const months = (): Promise<{ rows: { used: number }[] }> =>
      admin.query('SELECT used FROM inspect_credit_months WHERE workspace_id = $1 ORDER BY month', [
        workspace.id,
      ]);
    app.clock.wind(32 * DAY);
    const second = await ask('one');
    await save('two');
    await completed((await ask('two')).id);
    expect((await months()).rows).toEqual([{ used: 1 }, { used: 1 }]);
    await failed(first.id);
    expect((await months()).rows).toEqual([{ used: 1 }, { used: 1 }]);
    await failed(second.id);
    expect((await months()).rows).toEqual([{ used: 0 }, { used: 1 }]);
  });
});

describe('a template that is deleted', () => {
  const remove = async (slug: string): Promise<void> => {
    expect((await workspace.call('DELETE', `/v1/templates/${slug}`)).status).toBe(204);
  };

  test('gives back what runs took that wait', async () => {
    await save('one');
    await ask('one');
    await ask('one');
    await remove('one');
    expect(await account()).toMatchObject({ balance: 5, used: 0 });
    expect(await ledger()).toEqual([1, -1]);
  });

  test.each(['paid', 'free'])('gives nothing back of a version that a %s run has examined', async (which) => {
    await save('one');
    const runs = [await ask('one'), await ask('one')];
    const done = runs.find(({ creditsCharged }) => creditsCharged === (which === 'paid' ? 1 : 0));
    await completed(done?.id ?? '');
    await remove('one');
    expect(await account()).toMatchObject({ balance: 4, used: 1 });
    expect(await ledger()).toEqual([-1]);
  });
});

test('runs that fail are swept as those that complete', async () => {
  await save('one');
  await ask('one');
  await admin.query(
    `INSERT INTO inspect_jobs (workspace_id, id, environment, template_id, template_slug, template_version, channel, mode,
       trigger, status, checks, credits_charged, requested_by, created_at)
     SELECT workspace_id, gen_random_uuid(), environment, template_id, template_slug, template_version, channel, 'quick',
       trigger, 'failed', checks, 0, requested_by, created_at - n * interval '1 minute'
     FROM inspect_jobs, generate_series(1, 210) AS n WHERE workspace_id = $1`,
    [workspace.id],
  );
  await failing();
  const { rows } = await admin.query('SELECT 1 FROM inspect_jobs WHERE workspace_id = $1', [workspace.id]);
  expect(rows).toHaveLength(RETAINED_RUNS_PER_TEMPLATE);
});
