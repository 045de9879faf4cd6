/**
 * `npm start` in production creates no demo workspace and prints no key; and what a start as root reports about
 * Chromium.
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { MailSink } from '../support/mail-sink.js';
import { freePort, ServiceProcess } from '../support/service-process.js';

const secret = (): string => randomBytes(32).toString('hex');

let dataDir: string;
let database: TestDatabase;
let sink: MailSink;
let env: Record<string, string>;
const PRODUCTION = {
  NODE_ENV: 'production',
  BASE_URL: 'https://mail.example.test',
  AUTH_JWKS_URL: 'https://identity.example.test/keys',
  AUTH_ISSUER: 'https://identity.example.test',
  AUTH_AUDIENCE: 'authenticated',
};

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'waypost-production-'));
  [database, sink] = await Promise.all([createTestDatabase(), MailSink.start()]);
  env = {
    DATA_DIR: dataDir,
    DATABASE_URL: database.adminUrl,
    SMTP_URL: sink.url,
    TOKEN_SECRET: secret(),
    API_KEY_SECRET: secret(),
    ENCRYPTION_KEY: secret(),
  };
});
afterAll(async () => {
  await sink.stop();
  await database.drop();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Starts a process, stops it, and returns it. */
async function startOf(name: 'up' | 'api' | 'worker', more: Record<string, string>): Promise<ServiceProcess> {
  const service = ServiceProcess.start(name, { ...env, PORT: String(await freePort()), ...more });
  await service.wrote(READY[name]);
  await service.stop();
  return service;
}

async function workspaces(): Promise<number> {
  const admin = new pg.Client({ connectionString: database.adminUrl });
  await admin.connect();
  const { rows } = await admin.query<{ count: number }>('SELECT count(*)::int AS count FROM workspaces');
  await admin.end();
  return rows[0]?.count ?? 0;
}

/** What each process writes once it has started. */
const READY = { up: 'Waypost is ready', api: 'The API is ready', worker: 'The worker is ready' } as const;

const KEY = /psk_live_/;
const ROOTS_BROWSER = 'Chromium runs as root';

test('an empty database stays without a demo workspace', async () => {
  const { output } = await startOf('up', { ...PRODUCTION, BROWSER_PATH: process.execPath });
  expect(output).not.toMatch(KEY);
  expect(await workspaces()).toBe(0);
  // If the tests run as an ordinary user, Chromium runs in its sandbox.
  expect(output.includes(ROOTS_BROWSER)).toBe(process.getuid?.() === 0);
});

test.each([
  ['up', {}],
  ['up', PRODUCTION],
  ['api', PRODUCTION],
  ['worker', PRODUCTION],
] as const)('a start of %s with %j names its release and warns of nothing', async (name, more) => {
  const service = await startOf(name, { ...more, LOG_LEVEL: 'info' });
  // The first start creates a demo workspace. In production its key is not printed.
  expect(KEY.test(service.output)).toBe(name === 'up' && more !== PRODUCTION);
  expect(service.output).not.toContain(ROOTS_BROWSER);
  expect(await workspaces()).toBe(1);
  const lines = service.errors
    .split('\n')
    .filter((line) => line !== '')
    .map(
      (line) =>
        JSON.parse(line) as { level: number; msg: string; version?: string; err?: { message: string } },
    );
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  expect(lines[0]).toMatchObject({ msg: 'Starting', version });
  // In production a wait for a connection fails after eight seconds, which can happen on a busy machine.
  const isBusy = (message = ''): boolean => more === PRODUCTION && message.includes('connection timeout');
  expect(lines.filter(({ level, err }) => level >= 40 && !isBusy(err?.message))).toEqual([]);
});
