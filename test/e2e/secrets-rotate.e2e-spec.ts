/** A new ENCRYPTION_KEY: the command line re-encrypts everything with it, and reports what still needs the old one. */
import pg from 'pg';
import { UnsubscribeLinks } from '../../src/modules/unsubscribe/application/unsubscribe-links.js';
import { Seal } from '../../src/platform/crypto/seal.js';
import { bootApp, type TestApp, type TestWorkspace } from '../support/app.js';
import { ADD } from '../support/sending-domains.js';
import { ServiceProcess } from '../support/service-process.js';

const [OLD, NEW, STRANGE] = ['0'.repeat(64), '1'.repeat(64), '2'.repeat(64)] as [string, string, string];

let app: TestApp;
let admin: pg.Client;
let workspaces: readonly TestWorkspace[];

beforeAll(async () => {
  app = await bootApp({ queues: [], env: { ENCRYPTION_KEY: OLD } });
  admin = new pg.Client({ connectionString: app.adminUrl });
  await admin.connect();
  workspaces = [await app.workspace(), await app.workspace()];
  for (const [n, workspace] of workspaces.entries())
    for (const domain of ['a', 'b']) {
      const { body } = await workspace.graphql(ADD, { domain: `${domain}${n}.test` });
      expect(body.errors).toBeUndefined();
    }
  // A domain that is no longer checked is re-encrypted too.
  await admin.query(`UPDATE sending_domains SET check_at = NULL WHERE domain = 'b1.test'`);
});
afterAll(async () => {
  await admin?.end();
  await app?.close();
});

const rotate = (keys: string): Promise<any> =>
  ServiceProcess.cli(
    {
      ...{ DATA_DIR: app.environment.dataDir, DATABASE_URL: app.adminUrl },
      ...{ SMTP_URL: app.sink.url, ENCRYPTION_KEY: keys },
    },
    ['secrets:rotate'],
  );

interface SealedRow {
  readonly workspace_id: string;
  readonly id: string;
  readonly selector: string;
  readonly sealed_private_key: string;
}
async function sealed(): Promise<SealedRow[]> {
  const { rows } = await admin.query<SealedRow>('SELECT * FROM dkim_keys ORDER BY id');
  return rows;
}
/** The private keys that the secret alone decrypts. */
async function openedBy(secret: string): Promise<string[]> {
  const seal = new Seal([secret], 'dkim keys');
  return (await sealed()).flatMap(({ workspace_id: workspace, id, sealed_private_key: text }) => {
    try {
      return [seal.open(text, `${workspace} ${id}`)];
    } catch {
      return [];
    }
  });
}

test('everything is encrypted anew, once, and holds what it held', async () => {
  const before = await openedBy(OLD);
  expect(before).toHaveLength(4);
  expect(await rotate(`${NEW},${OLD}`)).toEqual({
    sending_domain_keys: { sealed: 4, sealed_anew: 4, unreadable: [] },
    migration_credentials: { sealed: 0, sealed_anew: 0, unreadable: [] },
    encryption_keys: [
      { place: 1, keeps_refusals: false, may_be_removed: false },
      { place: 2, keeps_refusals: false, may_be_removed: true },
    ],
  });
  expect(await openedBy(NEW)).toEqual(before);
  expect(await openedBy(OLD)).toEqual([]);
  const rows = await sealed();
  expect((await rotate(`${NEW},${OLD}`)).sending_domain_keys.sealed_anew).toBe(0);
  // The old key is no longer needed.
  expect((await rotate(NEW)).sending_domain_keys).toEqual({ sealed: 4, sealed_anew: 0, unreadable: [] });
  expect(await sealed()).toEqual(rows);
});

test('what no key opens is left as it is, and named', async () => {
  const rows = await sealed();
  const { sending_domain_keys: keys } = await rotate(STRANGE);
  expect([keys.sealed, keys.sealed_anew]).toEqual([4, 0]);
  expect(keys.unreadable).toHaveLength(4);
  expect(keys.unreadable).toContainEqual({
    workspace_id: rows[0]?.workspace_id,
    domain: 'a0.test',
    selector: rows[0]?.selector,
  });
  expect(await sealed()).toEqual(rows);
});

test('a key under which refusals are kept may never be removed', async () => {
  const [workspace] = workspaces as [TestWorkspace];
  const { body: ada } = await workspace.call('POST', '/v1/contacts', {
    ...{ external_id: 'ada', email: 'ada@example.com' },
  });
  const scope = { workspaceId: workspace.id, environment: 'live' } as const;
  const link = new URL(app.app.get(UnsubscribeLinks, { strict: false }).urlFor(scope, ada.id, ada.email));
  expect((await app.request('POST', link.pathname + link.search)).status).toBe(200);
  expect((await rotate(`${NEW},${OLD}`)).encryption_keys).toEqual([
    { place: 1, keeps_refusals: false, may_be_removed: false },
    { place: 2, keeps_refusals: true, may_be_removed: false },
  ]);
});
