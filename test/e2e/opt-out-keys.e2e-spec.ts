/**
 * Opt-outs are stored as hashes whose key is in ENCRYPTION_KEY. Without a key that stored hashes use, they could not be
 * found again, so no process starts; with the old key listed after a new one everything works.
 */
import { UnsubscribeLinks } from '../../src/modules/unsubscribe/application/unsubscribe-links.js';
import { bootApp, type TestApp, type TestWorkspace } from '../support/app.js';
import { freePort, ServiceProcess } from '../support/service-process.js';
import { until } from '../support/until.js';

const [OLD, NEW] = ['0'.repeat(64), '1'.repeat(64)] as [string, string];

const started: ServiceProcess[] = [];
let first: TestApp;
let workspace: TestWorkspace;

beforeAll(async () => {
  first = await bootApp({ queues: [], env: { ENCRYPTION_KEY: OLD } });
  workspace = await first.workspace();
});
afterAll(async () => {
  await Promise.all(started.map((process) => process.stop()));
  await first.close();
});

/** Starts a process that serves, on the same database. */
async function start(keys: string): Promise<{ process: ServiceProcess; url: string }> {
  const port = await freePort();
  const env = {
    PORT: String(port),
    DATA_DIR: first.environment.dataDir,
    DATABASE_URL: first.adminUrl,
    SMTP_URL: first.sink.url,
    ENCRYPTION_KEY: keys,
  };
  const process = ServiceProcess.start('api', env);
  started.push(process);
  return { process, url: `http://127.0.0.1:${port}` };
}

async function statusOf(url: string, externalId: string): Promise<string> {
  const answer = await fetch(`${url}/v1/contacts`, {
    method: 'POST',
    headers: {
      'x-workspace-id': workspace.id,
      'x-api-key': workspace.key,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ external_id: externalId, email: 'ada@example.com' }),
  });
  const { subscription_status: status } = (await answer.json()) as { subscription_status: string };
  return status;
}

test('a key under which nothing is kept may be changed', async () => {
  const { process, url } = await start(NEW);
  await process.ready(url);
  expect((await process.stop()).code).toBe(0);
});

test('without a key under which refusals are kept no process starts, and it is said why', async () => {
  const { body: ada } = await workspace.call('POST', '/v1/contacts', {
    external_id: 'ada',
    email: 'ada@example.com',
  });
  const scope = { workspaceId: workspace.id, environment: 'live' } as const;
  const link = new URL(first.app.get(UnsubscribeLinks, { strict: false }).urlFor(scope, ada.id, ada.email));
  expect((await first.request('POST', link.pathname + link.search)).status).toBe(200);

  const { process, url } = await start(NEW);
  const serves = (): Promise<boolean> =>
    fetch(`${url}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  await until('it ends, or serves', async () => process.exit !== undefined || (await serves()));
  expect(process.exit).toEqual({ code: 1, signal: null });
  await until('its words are read', () => process.isRead);
  expect(process.errors).toContain('ENCRYPTION_KEY lacks a key that stored opt-outs need');
  expect(process.errors).not.toContain(NEW);
});

test('with the old key behind the new one the refusal is known, also of a contact that is new', async () => {
  const { process, url } = await start(`${NEW},${OLD}`);
  await process.ready(url);
  expect(await statusOf(url, 'the same address')).toBe('unsubscribed');
  expect((await process.stop()).code).toBe(0);
});
