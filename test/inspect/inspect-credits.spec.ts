/**
 * Credits of full runs (section 8.2) on the real database: exactly the plan's cap is given out, a version is paid once however
 * many ask at once, a failed run gives its credit back, and a renewal begins the month anew.
 */
import pg from 'pg';
import { UsageRenewal } from '../../src/modules/limits/application/usage-renewal.js';
import { PLANS } from '../../src/modules/limits/domain/plan.js';
import { InspectCredits } from '../../src/modules/inspect/application/inspect-credits.js';
import { InspectRunner } from '../../src/modules/inspect/application/inspect-runner.js';
import { InspectRuns } from '../../src/modules/inspect/application/inspect-runs.js';
import { RUN_ERRORS } from '../../src/modules/inspect/domain/runs/run-bounds.js';
import { InspectWorkRepository } from '../../src/modules/inspect/persistence/inspect-work.repository.js';
import { Database } from '../../src/platform/database/database.js';
import { bootApp, type TestApp, type TestWorkspace } from '../support/app.js';
import { MINUTE } from '../support/clock.js';

const { free } = PLANS;
const FULL = { channel: 'email', mode: 'full', subject: null, preheader: null, contactId: null } as const;

let app: TestApp;
let admin: pg.Client;
let workspace: TestWorkspace;

beforeAll(async () => {
  app = await bootApp({ queues: [] });
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

/** Takes the first run that is due in hand, as a worker does. */
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

/** Has the run fail as one does whose worker dies again and again. */
async function failing(): Promise<void> {
  for (let attempt = 1; attempt <= 4; attempt++) {
    const job = await claim();
    if (!job) throw new Error('There is no run to be made.');
    if (attempt === 4) {
      await app.app.get(InspectRunner, { strict: false }).make(scope(), job);
      return;
    }
    // Its process is gone.
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
