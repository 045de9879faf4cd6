/**
 * The import of a file from end to end, section 4.9: upload, dry run, import by a worker, and `cli import`; and the
 * result of each row.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { CliContext } from '../../src/processes/cli/command.js';
import { runCommand } from '../../src/processes/cli/commands.js';
import { operatorFault } from '../../src/processes/operator-fault.js';
import { bytesOf } from '../../src/processes/cli/read-from.js';
import { bootApp, type Answer, type TestApp, type TestWorkspace } from '../support/app.js';
import { UNWATCHED } from '../support/cli-world.js';
import { ServiceProcess } from '../support/service-process.js';
import { until } from '../support/until.js';

let app: TestApp;
let admin: pg.Client;
let folder: string;

beforeAll(async () => {
  app = await bootApp({ queues: ['imports'] });
  admin = new pg.Client({ connectionString: app.adminUrl });
  await admin.connect();
  folder = mkdtempSync(join(tmpdir(), 'waypost-import-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await admin.end();
  await app.close();
});

const PEOPLE = `external_id;email;First Name;plan;opt_out
u1;ada@example.com;Ada;pro;
u2;bob@example.com;Bob;free;yes
u3;not an address;Eve;free;
u4;dan@example.com;"Dan
the man";pro;
`;

function asOwner(workspace: TestWorkspace): Record<string, string> {
  return { authorization: `Bearer ${workspace.ownerToken}`, 'x-workspace-id': workspace.id };
}

const call = (workspace: TestWorkspace, method: string, path: string, body?: unknown): Promise<Answer> =>
  app.request(method, `/v1/migrations${path}`, body, asOwner(workspace));

async function upload(workspace: TestWorkspace, text: string): Promise<any> {
  const form = new FormData();
  form.append('file', new Blob([text]), 'people.csv');
  const init = { method: 'POST', headers: asOwner(workspace), body: form };
  const response = await fetch(`${app.url}/v1/migrations/files`, init);
  expect(response.status).toBe(201);
  return response.json();
}

async function ended(workspace: TestWorkspace, config: object): Promise<any> {
  const { status, body } = await call(workspace, 'POST', '', { platform: 'file', config });
  expect(status).toBe(201);
  let job = body;
  await until('the migration has ended', async () => {
    job = (await call(workspace, 'GET', `/${body.id}`)).body;
    return !['queued', 'running'].includes(job.status as string);
  });
  return job;
}

const contactsOf = async ({ id }: TestWorkspace): Promise<any[]> =>
  (
    await admin.query(
      `SELECT external_id, email, first_name, subscription_status, properties, tags FROM contacts
       WHERE workspace_id = $1 ORDER BY external_id`,
      [id],
    )
  ).rows;

test('a file is tried, and then brought over: the trial has told what would come of it', async () => {
  const workspace = await app.workspace({ plan: 'starter' });
  const file = await upload(workspace, PEOPLE);
  const config = {
    file_id: file.file_id,
    tags: ['moved'],
    field_mapping: { 'First Name': 'first_name', opt_out: 'subscription_status' },
  };
  const counts = {
    status: 'completed',
    progress: { imported: 3, failed: 1, total: 4, percent_complete: 100 },
    ...{ created_contacts: 3, updated_contacts: 0, unsubscribed: 1, error: null },
  };
  const tried = await ended(workspace, { ...config, dry_run: true });
  expect(tried).toMatchObject({ ...counts, dry_run: true });
  expect(await contactsOf(workspace)).toEqual([]);
  const done = await ended(workspace, config);
  expect(done).toMatchObject({ ...counts, dry_run: false });
  expect(await contactsOf(workspace)).toEqual([
    {
      ...{
        external_id: 'u1',
        email: 'ada@example.com',
        first_name: 'Ada',
        subscription_status: 'subscribed',
      },
      ...{ properties: { plan: 'pro' }, tags: ['moved'] },
    },
    {
      ...{
        external_id: 'u2',
        email: 'bob@example.com',
        first_name: 'Bob',
        subscription_status: 'unsubscribed',
      },
      ...{ properties: { plan: 'free' }, tags: ['moved'] },
    },
    {
      ...{
        external_id: 'u4',
        email: 'dan@example.com',
        first_name: 'Dan\nthe man',
        subscription_status: 'subscribed',
      },
      ...{ properties: { plan: 'pro' }, tags: ['moved'] },
    },
  ]);
  for (const { id } of [tried, done]) {
    const { body } = await call(workspace, 'GET', `/${id}/errors`);
    expect(body).toMatchObject({ total: 1, errors: [{ row: 3, external_id: 'u3', code: 'invalid_email' }] });
  }
});

const filesOf = async ({ id }: TestWorkspace): Promise<number> =>
  (await admin.query('SELECT count(*)::int AS files FROM import_files WHERE workspace_id = $1', [id])).rows[0]
    .files as number;

describe('cli import', () => {
  const shown: string[] = [];
  const world = (): CliContext => ({
    config: app.config,
    now: () => new Date(),
    readText: () => Promise.reject(new Error('Nothing is read whole.')),
    ...UNWATCHED,
    readInput: () => Promise.resolve(Buffer.alloc(0)),
    readBytes: bytesOf,
    watcher: { ...UNWATCHED.watcher, show: (line) => void shown.push(line) },
    migrate: () => Promise.resolve([]),
    withServices: (work) => work(app.app),
  });
  const written = (name: string, text: string): string => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };
  const fault = async (...args: string[]): Promise<string | undefined> =>
    runCommand(['import', ...args], world()).then(
      () => 'nothing',
      (error: unknown) => operatorFault(error),
    );

  test('a file is brought over, with its progress', async () => {
    const workspace = await app.workspace({ plan: 'starter' });
    const path = written('people.csv', PEOPLE);
    const args = [
      '--workspace',
      workspace.id,
      '--tag',
      'moved',
      '--tag',
      '2026',
      '--map',
      'plan=product_type',
    ];
    const tried = await runCommand(['import', path, ...args, '--dry-run'], world());
    const counts = { imported: 3, failed: 1, total: 4, created_contacts: 3, updated_contacts: 0 };
    expect(tried).toMatchObject({ status: 'completed', dry_run: true, ...counts });
    expect(tried).not.toHaveProperty('rows');
    const listed = await runCommand(['import', path, ...args, '--dry-run', '--rows'], world());
    expect(listed).toMatchObject({
      rows: ['created', 'created', 'failed', 'created'].map((outcome, at) => ({
        ...{ row: at + 1, external_id: `u${at + 1}`, outcome, updated_fields: [] },
        ...{ opts_out: at === 1, code: at === 2 ? 'invalid_email' : null },
      })),
    });
    expect(await contactsOf(workspace)).toEqual([]);
    const done = await runCommand(['import', path, ...args], world());
    expect(done).toMatchObject({
      ...{ workspace_id: workspace.id, environment: 'live', status: 'completed', dry_run: false, ...counts },
      tags: ['moved', '2026'],
      field_mapping: expect.objectContaining({ plan: 'product_type', email: 'email' }),
      errors: [{ row: 3, external_id: 'u3', code: 'invalid_email', detail: expect.any(String) }],
    });
    expect(await contactsOf(workspace)).toHaveLength(3);
    expect(shown.at(-1)).toMatch(/^\[#{24}\] 100 % {2}4 of 4, 1 refused/);
  });

  test('what the operator may do wrong is one line', async () => {
    const workspace = await app.workspace({ plan: 'starter' });
    const free = await app.workspace({ plan: 'free' });
    const path = written('more.csv', 'email\nada@example.com\n');
    expect(await fault()).toMatch('Specify one file');
    expect(await fault(path)).toMatch('--workspace is missing');
    expect(await fault(path, '--workspace', free.id)).toMatch('plan_limit_reached');
    expect(await fault(join(folder, 'none.csv'), '--workspace', workspace.id)).toMatch(
      'cannot be read (ENOENT)',
    );
    expect(await fault(path, '--workspace', workspace.id, '--map', 'email')).toMatch('write COLUMN=FIELD');
    expect(await fault(path, '--workspace', workspace.id, '--map', 'email=mail')).toMatch(
      'config.field_mapping.email',
    );
    expect(await fault(path, '--workspace', workspace.id, '--tag', '')).toMatch('config.tags');
    expect(await fault(path, '--workspace', workspace.id, '--fast')).toMatch('--fast');
    expect(await fault(path, '--workspace', workspace.id, '--rows')).toMatch('--dry-run');
    expect(await filesOf(workspace)).toBe(0);
    expect(await fault(path, '--workspace', workspace.id, '--map', 'Nope=email')).toMatch(
      'config.field_mapping.Nope: is not a column of the file',
    );
    expect(await contactsOf(workspace)).toEqual([]);
  });

  describe('as a process', () => {
    const started = (workspace: TestWorkspace, ...args: string[]): ServiceProcess =>
      ServiceProcess.start(
        'cli',
        {
          DATABASE_URL: app.config.databaseUrl ?? '',
          DATA_DIR: app.config.dataDir,
          BASE_URL: app.config.baseUrl,
        },
        ['import', ...args, '--workspace', workspace.id],
      );

    test('a file that is not there is one line', async () => {
      const cli = started(await app.workspace({ plan: 'starter' }), join(folder, 'nope.csv'));
      expect(await cli.gone()).toEqual({ code: 1, signal: null });
      await until('its words are read', () => cli.isRead);
      expect(cli.errors.trim().split('\n').at(-1)).toBe(
        `${join(folder, 'nope.csv')} cannot be read (ENOENT).`,
      );
      expect(cli.errors).not.toMatch(/uncaught error|at .*\.js/);
    });

    test('whoever breaks it off has not imported, and is told that the migration goes on', async () => {
      const workspace = await app.workspace({ plan: 'starter' });
      await admin.query(
        `INSERT INTO import_jobs (workspace_id, environment, id, platform, status, config, dry_run, plan, created_by, created_at, due_at)
         VALUES ($1, 'test', gen_random_uuid(), 'file', 'running', '{"tags":[],"fieldMapping":{},"fileId":null,"dryRun":false}',
           false, 'starter', 'operator', now() - interval '1 day', now() + interval '1 day')`,
        [workspace.id],
      );
      const cli = started(workspace, written('waits.csv', PEOPLE));
      await cli.wrote('waiting to start');
      expect(await cli.stop('SIGINT')).toEqual({ code: 130, signal: null });
      await until('its words are read', () => cli.isRead);
      expect(cli.errors).toMatch(/The migration [0-9a-f-]{36} continues without this command/);
    });
  });
});
