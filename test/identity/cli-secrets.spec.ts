/**
 * The command line does not generate a secret for a database that is in use: keys made with it would be invalid,
 * and no error would say so.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { loadConfig, type AppConfig } from '../../src/platform/config/config.js';
import { operatorConfig } from '../../src/processes/runtime.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

let database: TestDatabase;
const folders: string[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(async () => {
  await database?.drop();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function configIn(folder: string, env: Record<string, string> = {}): AppConfig {
  return loadConfig({ DATABASE_URL: database.adminUrl, DATA_DIR: folder, ...env });
}

function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'waypost-secrets-'));
  folders.push(folder);
  return folder;
}

async function makeWorkspace(): Promise<void> {
  const client = new pg.Client({ connectionString: database.adminUrl });
  await client.connect();
  await client
    .query(
      `INSERT INTO workspaces (id, name, plan, created_at, updated_at) VALUES ($1, 'Acme', 'free', now(), now())`,
      ['01900000-0000-7000-8000-000000000001'],
    )
    .finally(() => client.end());
}

const boot = (config: AppConfig) => ({ config, atEnd: () => undefined });

test('secrets are made for a database that is new, and wanted where it is in use', async () => {
  const servers = freshFolder();
  const before = await operatorConfig(boot(configIn(servers)));
  expect((await operatorConfig(boot(configIn(freshFolder())))).apiKeySecrets).toHaveLength(1);
  await makeWorkspace();

  const elsewhere = freshFolder();
  await expect(operatorConfig(boot(configIn(elsewhere)))).rejects.toThrow(
    /^API_KEY_SECRET, TOKEN_SECRET, ENCRYPTION_KEY are missing: .* DATA_DIR \(now "[^\n]*"\)\.$/,
  );
  const most = { TOKEN_SECRET: 'x'.repeat(32), API_KEY_SECRET: 'y'.repeat(32) };
  await expect(operatorConfig(boot(configIn(elsewhere, most)))).rejects.toThrow(
    /^ENCRYPTION_KEY is missing: /,
  );
  expect(readdirSync(elsewhere)).toEqual([]);

  const all = { ...most, ENCRYPTION_KEY: 'a'.repeat(64) };
  expect(await operatorConfig(boot(configIn(elsewhere, all)))).toMatchObject({
    apiKeySecrets: ['y'.repeat(32)],
  });
  expect(readdirSync(elsewhere)).toEqual([]);
  expect((await operatorConfig(boot(configIn(servers)))).apiKeySecrets).toEqual(before.apiKeySecrets);
});
