/**
 * Secrets can be rotated without invalidating a key or a link: list the old and new secrets together, and remove
 * the old one later.
 */
import { createHmac, hkdfSync } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { UnsubscribeLinks } from '../../src/modules/unsubscribe/application/unsubscribe-links.js';
import { loadConfig } from '../../src/platform/config/config.js';
import { DataDirectory } from '../../src/platform/embedded/data-directory.js';
import { seedFile } from '../../src/processes/cli/seed.js';
import { completeConfig } from '../../src/processes/runtime.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { bootProbe } from './probe-app.js';

const [A, B, C, D] = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(40)) as [
  string,
  string,
  string,
  string,
];

interface SeededKey {
  readonly workspaceId: string;
  readonly key: string;
}

let database: TestDatabase;
let admin: pg.Client;
let dataDir: string;
beforeAll(async () => {
  database = await createTestDatabase();
  admin = new pg.Client({ connectionString: database.adminUrl });
  await admin.connect();
  dataDir = mkdtempSync(join(tmpdir(), 'waypost-rotation-'));
});
afterAll(async () => {
  await admin.end();
  await database.drop();
  rmSync(dataDir, { recursive: true, force: true });
});

let serial = 0;

/**
 * Boots a process with these secrets, and sends a request with each key.
 * @returns the statuses.
 */
async function statuses(env: Record<string, string>, keys: readonly SeededKey[]): Promise<number[]> {
  const process = await bootProbe(database.adminUrl, env, dataDir);
  try {
    const answers = [];
    for (const { workspaceId, key } of keys)
      answers.push(await process.ask('GET', 'contacts', { 'x-workspace-id': workspaceId, 'x-api-key': key }));
    return answers.map(({ status }) => status);
  } finally {
    await process.close();
  }
}

/** Keys created by a process with these secrets. */
async function keysOf(env: Record<string, string>, count: number): Promise<SeededKey[]> {
  const process = await bootProbe(database.adminUrl, env, dataDir);
  try {
    const api_keys = Array.from({ length: count }, (_, i) => ({ name: `k${i}`, scope: 'full' }));
    const { workspaces } = await seedFile(
      { workspaces: [{ name: `Rotating ${++serial}`, plan: 'enterprise', api_keys }] },
      process.app,
    );
    const [workspace] = workspaces;
    return (workspace?.api_keys ?? []).map(({ key }) => ({
      workspaceId: workspace?.id ?? '',
      key: key ?? '',
    }));
  } finally {
    await process.close();
  }
}

/** The digest of a key as the first release stored it, under TOKEN_SECRET. */
const firstRelease = (key: string, tokenSecret: string): string =>
  createHmac('sha256', Buffer.from(hkdfSync('sha256', tokenSecret, 'waypost', 'api-key-hash', 32)))
    .update(key)
    .digest('hex');

async function store(keys: readonly SeededKey[], tokenSecret: string): Promise<void> {
  for (const { workspaceId, key } of keys)
    await admin.query('UPDATE api_keys SET key_hash = $3 WHERE workspace_id = $1 AND key_hint = $2', [
      workspaceId,
      key.slice(-4),
      firstRelease(key, tokenSecret),
    ]);
}

test('keys of the first release go on working, and are kept under the new secret once they are seen', async () => {
  const keys = await keysOf({ TOKEN_SECRET: A, API_KEY_SECRET: B }, 2);
  await store(keys, A);
  const [seen] = keys as [SeededKey, SeededKey];
  expect(await statuses({ TOKEN_SECRET: A, API_KEY_SECRET: B }, [seen])).toEqual([200]);
  // TOKEN_SECRET changes; keys that were used in the meantime stay valid.
  expect(await statuses({ TOKEN_SECRET: C, API_KEY_SECRET: B }, keys)).toEqual([200, 401]);
  expect(await statuses({ TOKEN_SECRET: `${C},${A}`, API_KEY_SECRET: B }, keys)).toEqual([200, 200]);
  expect(await statuses({ TOKEN_SECRET: C, API_KEY_SECRET: B }, keys)).toEqual([200, 200]);
});

test('API_KEY_SECRET is rotated: both, the new one alone, and the old one opens nothing any more', async () => {
  const keys = await keysOf({ TOKEN_SECRET: A, API_KEY_SECRET: B }, 2);
  const [seen] = keys as [SeededKey, SeededKey];
  // The new secret is listed last everywhere before it is listed first, so that every process can read every key.
  expect(await statuses({ TOKEN_SECRET: A, API_KEY_SECRET: `${B},${D}` }, keys)).toEqual([200, 200]);
  expect(await statuses({ TOKEN_SECRET: A, API_KEY_SECRET: `${D},${B}` }, [seen])).toEqual([200]);
  expect(await statuses({ TOKEN_SECRET: A, API_KEY_SECRET: D }, keys)).toEqual([200, 401]);
  expect(await statuses({ TOKEN_SECRET: A, API_KEY_SECRET: B }, [seen])).toEqual([401]);
});

test('a key that is made under several secrets is made under the first', async () => {
  const keys = await keysOf({ TOKEN_SECRET: A, API_KEY_SECRET: `${D},${B}` }, 1);
  expect(await statuses({ TOKEN_SECRET: C, API_KEY_SECRET: D }, keys)).toEqual([200]);
});

test('an installation whose secrets were generated before there was one for keys goes on', async () => {
  const keys = await keysOf({}, 1);
  await store(keys, DataDirectory.open(dataDir).secrets().tokenSecret);
  expect(await statuses({}, keys)).toEqual([200]);
  expect(await statuses({}, keys)).toEqual([200]);
});

test('processes that were given TOKEN_SECRET alone share it for keys too, as before', () => {
  const surroundings = { databaseUrl: database.adminUrl, smtpUrl: undefined, sandboxSmtpUrl: undefined };
  const config = completeConfig(loadConfig({ TOKEN_SECRET: A, DATA_DIR: dataDir }), surroundings);
  expect(config.apiKeySecrets).toEqual([A]);
});

test('a link outlives the rotation of TOKEN_SECRET while the old one is listed', () => {
  const linksOf = (secrets: string): UnsubscribeLinks => {
    const config = loadConfig({ TOKEN_SECRET: secrets, DATA_DIR: dataDir });
    return new UnsubscribeLinks(
      completeConfig(config, { databaseUrl: '', smtpUrl: undefined, sandboxSmtpUrl: undefined }),
    );
  };
  const scope = { workspaceId: '0190a5d2-7c3e-7b61-9a3e-4f5f0c0ffee1', environment: 'live' as const };
  const contactId = '0190a5d2-7c3e-7b61-9a3e-4f5f0c0ffee2';
  const sentTo = 'ada@example.com';
  const token = new URL(linksOf(A).urlFor(scope, contactId, sentTo)).searchParams.get('token') ?? '';
  expect(linksOf(`${B},${A}`).read(token)).toEqual({ scope, contactId, sentTo, messageId: null });
  expect(linksOf(B).read(token)).toBeUndefined();
  const url = new URL(linksOf(`${B},${A}`).urlFor(scope, contactId, sentTo));
  const renewed = url.searchParams.get('token') ?? '';
  expect(linksOf(B).read(renewed)).toEqual({ scope, contactId, sentTo, messageId: null });
});
