/**
 * Runs the tests: `npm test`, or `npm test -- unit e2e` for some groups; whatever follows the groups goes to Jest
 * (`npm test -- e2e -t "a name"`); `--unless-passed` leaves out groups that have passed on the very same files. Starts
 * one real PostgreSQL for the whole run, and a Redis where this machine has the program; stops both at the end, however
 * the end comes. The last line counts the tests of all groups.
 */
import { spawn } from 'node:child_process';
import { accessSync, chmodSync, constants, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureBuilt, LaunchError, processesFolder, ROOT } from './build.mjs';
import { keepPassed, passedBefore, stateOfFiles } from './passed.mjs';
import { cpuSecondsOf, printCosts, readFileCosts } from './test-costs.mjs';

/** Quick ones first. Groups of a batch run together, in the same processes: each loads the service once. */
const BATCHES = [
  { groups: ['unit', 'architecture'], servers: false, workers: 2 },
  { groups: ['drift', 'integration', 'e2e'], servers: true, workers: 3 },
  { groups: ['faults'], servers: true, workers: 4 },
  { groups: ['image'], servers: true, workers: 1, onlyAsked: true },
];
const GROUPS = BATCHES.flatMap(({ groups }) => groups);

/** Only ends what hangs: a machine that is overloaded many times over fails nothing. */
const HANGS_AFTER_MS = 30 * 60_000;

const UNLESS_PASSED = '--unless-passed';
const args = process.argv.slice(2).filter((arg) => arg !== UNLESS_PASSED);
const named = args.findIndex((arg) => !GROUPS.includes(arg));
const chosen = named === -1 ? args : args.slice(0, named);
const jestArgs = named === -1 ? [] : args.slice(named);
/** Building the image takes minutes and a machine that may: only where it is named or required. */
const usual = ({ onlyAsked }) => !onlyAsked || process.env.TEST_IMAGE === 'required';
const begun = performance.now();
const state = stateOfFiles();
/** What a group came to before, where that is enough. */
const known = (name) => (process.argv.includes(UNLESS_PASSED) ? passedBefore(name, state) : undefined);
const asked = BATCHES.flatMap((batch) =>
  batch.groups.filter((name) => (chosen.length === 0 ? usual(batch) : chosen.includes(name))),
);
/** The batches with the groups that are left to run. */
const batches = BATCHES.map((batch) => ({
  ...batch,
  groups: batch.groups.filter((name) => asked.includes(name) && !known(name)),
})).filter(({ groups }) => groups.length > 0);

const scratch = mkdtempSync(join(tmpdir(), 'waypost-test-'));
/** What to stop at the end, the last first. */
const closers = [() => rmSync(scratch, { recursive: true, force: true })];
let jest;
/** Process number of the tests' PostgreSQL. */
let postgresPid;
let interrupted = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => {
    interrupted = true;
    jest?.end();
  });

process.exitCode = await main();

async function main() {
  try {
    // Faults start some sixty processes: that pays for the bundle.
    const bundle = batches.some(({ groups }) => groups.includes('faults')) && jestArgs.length === 0;
    await ensureBuilt({ bundle });
    const env = { ...process.env, NODE_ENV: 'test', TEST_PROCESSES: processesFolder() };
    if (env.TEST_ORDER === 'random') env.TEST_ORDER = randomBytes(4).toString('hex');
    if (env.TEST_ORDER) console.error(`The order of files is that of TEST_ORDER=${env.TEST_ORDER}.`);
    if (batches.some(({ servers }) => servers)) Object.assign(env, await startServers());
    const results = asked.filter(known).map((name) => ({ name, files: [], ...known(name) }));
    for (const { name } of results) console.error(`\n== ${name}: has passed on these very files`);
    for (const batch of batches) if (!interrupted) results.push(...(await runBatch(batch, env)));
    return report(results);
  } catch (error) {
    console.error(error instanceof LaunchError ? error.message : error);
    return 1;
  } finally {
    for (const close of closers.reverse()) await close();
  }
}

async function startServers() {
  // PostgreSQL's own user has to reach its folder.
  chmodSync(scratch, 0o755);
  const { startEmbeddedPostgres } = await import('../dist/platform/embedded/postgres-keeper.js');
  const postgres = await startEmbeddedPostgres({
    dataDir: join(scratch, 'database'),
    settings: {
      fsync: 'off',
      full_page_writes: 'off',
      wal_level: 'minimal',
      max_wal_senders: '0',
      max_wal_size: '4GB',
      max_connections: '300',
      jit: 'off',
    },
  });
  closers.push(() => postgres.stop());
  postgresPid = Number(
    readFileSync(join(scratch, 'database', 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0],
  );
  postgres.onExit((reason) => console.error(`The tests' PostgreSQL ended: ${reason}`));
  const redisUrl = await startRedis();
  const browser = findBrowser();
  const oldest = findOldestPostgres();
  return {
    TEST_DATABASE_URL: postgres.url,
    ...(oldest ? { TEST_POSTGRES_15: oldest } : {}),
    ...(redisUrl ? { TEST_REDIS_URL: redisUrl } : {}),
    ...(browser ? { TEST_BROWSER_PATH: browser } : {}),
  };
}

/**
 * The path of this machine's Chromium; undefined if there is none, and the tests that need it are skipped. The headless
 * shell comes first: a picture costs it an eighth of the CPU time.
 */
function findBrowser() {
  const program = [
    '/usr/bin/chromium-headless-shell',
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
  ].find((path) => existsSync(path));
  if (program) return program;
  const message = 'NO CHROMIUM HERE: the tests of pages and pictures in a browser';
  if (process.env.TEST_BROWSER === 'required')
    throw new LaunchError(`${message} cannot run, and TEST_BROWSER=required.`);
  console.error(`\n*** ${message} ARE SKIPPED.\n`);
  return undefined;
}

/** The programs of PostgreSQL 15, as Debian installs them; undefined where this machine has none: then its tests are left out. */
function findOldestPostgres() {
  const folder = '/usr/lib/postgresql/15/bin';
  if (existsSync(join(folder, 'postgres'))) return folder;
  const message = 'NO POSTGRESQL 15 HERE: the tests on the oldest supported version';
  if (process.env.TEST_POSTGRES_15 === 'required')
    throw new LaunchError(`${message} cannot run, and TEST_POSTGRES_15=required.`);
  console.error(`\n*** ${message} ARE SKIPPED.\n`);
  return undefined;
}

/** Its address; undefined where this machine has no Redis: then the tests of the Redis queue are left out. */
async function startRedis() {
  const program = ['redis-server', 'valkey-server'].find(isInstalled);
  if (!program) {
    const message =
      'NO REDIS HERE (no redis-server or valkey-server in PATH): the tests of QUEUE_BACKEND=redis';
    if (process.env.TEST_REDIS === 'required')
      throw new LaunchError(`${message} cannot run, and TEST_REDIS=required.`);
    console.error(`\n*** ${message} ARE SKIPPED.\n`);
    return undefined;
  }
  const port = await freePort();
  const redis = startTied(
    program,
    [
      '--bind',
      '127.0.0.1',
      '--port',
      `${port}`,
      '--save',
      '',
      '--appendonly',
      'no',
      '--dir',
      scratch,
      '--loglevel',
      'warning',
    ],
    { stdio: ['pipe', 'ignore', 'inherit'] },
  );
  let ended = false;
  void redis.gone.then(() => (ended = true));
  closers.push(() => redis.end());
  while (!(await answers(port))) {
    if (ended) throw new LaunchError(`${program} does not start: see above.`);
    await sleep(50);
  }
  return `redis://127.0.0.1:${port}`;
}

/** @returns what each group of the batch came to. */
async function runBatch({ groups, workers }, env) {
  console.error(`\n== ${groups.join(', ')}`);
  const costs = join(scratch, `${groups[0]}.costs`);
  jest = startTied(
    process.execPath,
    [
      join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js'),
      `--config=${join(ROOT, 'jest.config.mjs')}`,
      '--selectProjects',
      ...groups,
      `--maxWorkers=${workers}`,
      `--testTimeout=${HANGS_AFTER_MS}`,
      '--reporters=default',
      `--reporters=${join(ROOT, 'test', 'support', 'runner', 'cost-reporter.mjs')}`,
      ...(jestArgs.length > 0 ? ['--passWithNoTests', ...jestArgs] : []),
    ],
    // Jest's report is on standard error.
    { cwd: ROOT, env: { ...env, COST_REPORT: costs }, stdio: ['pipe', 'ignore', 'inherit'] },
  );
  const code = await jest.gone;
  const files = readFileCosts(costs);
  const results = groups.map((name) => resultOf(name, files));
  // Jest may fail without a failing test: a file that does not load, a group without any test, a crash.
  if (code !== 0 && results.every(({ failed }) => failed === 0)) results[0].failed = 1;
  if (code === 0 && jestArgs.length === 0 && !interrupted && stateOfFiles() === state)
    for (const { name, passed, failed, skipped } of results)
      keepPassed(name, state, { passed, failed, skipped });
  return results;
}

function resultOf(name, all) {
  const files = all.filter(({ group }) => group === name);
  const sum = (what) => files.reduce((total, file) => total + file[what], 0);
  return {
    ...{ name, files, cpuSeconds: sum('cpuSeconds') },
    ...{ passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') },
  };
}

/**
 * Starts a program in a process group of its own. The shell in front of it ends the whole group when its standard input closes:
 * when told to, when the program has ended, or when this process is gone, however it went.
 */
function startTied(program, args, options) {
  const script =
    'exec 3<&0; "$@" </dev/null 3<&- & child=$!; (cat <&3 >/dev/null; kill -TERM 0) & wait "$child"';
  const shell = spawn('/bin/sh', ['-c', script, 'tied', program, ...args], { ...options, detached: true });
  const gone = new Promise((resolve, reject) => {
    shell.once('error', reject);
    shell.once('close', resolve);
  });
  return {
    /** Its exit code; null when it was ended. */
    gone,
    end: () => {
      shell.stdin.end();
      return gone;
    },
  };
}

function report(results) {
  const sum = (what) => results.reduce((total, result) => total + result[what], 0);
  const ran = results.filter(({ files }) => files.length > 0);
  if (ran.length > 0)
    printCosts(ran, {
      seconds: (performance.now() - begun) / 1000,
      postgresSeconds: postgresPid ? cpuSecondsOf(postgresPid) : 0,
    });
  console.log('');
  for (const { name, passed, failed, skipped } of results)
    console.log(`${name.padEnd(14)}passed ${passed}, failed ${failed}, skipped ${skipped}`);
  if (interrupted) console.log('Interrupted: not all was run.');
  console.log(`${sum('passed')} passed, ${sum('failed')} failed`);
  return sum('failed') > 0 || interrupted ? 1 : 0;
}

function isInstalled(program) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function answers(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    }).once('error', () => resolve(false));
  });
}
