/**
 * Runs the tests: `npm test`, or `npm test -- unit e2e` for some groups; whatever follows the groups goes to Jest
 * (`npm test -- e2e -t "a name"`); `--unless-passed` leaves out groups that have passed on the very same files. Starts
 * one real PostgreSQL for the whole run, and a Redis where this machine has the program; stops both at the end, however
 * the end comes. The last line counts the tests of all groups.
 */
import { spawn } from 'node:child_process';
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { randomBytes } from 'node:crypto';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureBuilt, LaunchError, processesFolder, ROOT } from './build.mjs';
import { keepPassed, passedBefore, stateOfFiles } from './passed.mjs';
import { cpuSecondsFromTimes, cpuSecondsOf, printCosts, readFileCosts } from './test-costs.mjs';

/** Quick ones first. */
const GROUPS = {
  unit: { servers: false, workers: 2 },
  architecture: { servers: false, workers: 2 },
  drift: { servers: true, workers: 2 },
  integration: { servers: true, workers: 3 },
  e2e: { servers: true, workers: 3 },
  faults: { servers: true, workers: 4 },
  image: { servers: true, workers: 1, onlyAsked: true },
};

/** Only ends what hangs: a machine that is overloaded many times over fails nothing. */
const HANGS_AFTER_MS = 30 * 60_000;

const UNLESS_PASSED = '--unless-passed';
const args = process.argv.slice(2).filter((arg) => arg !== UNLESS_PASSED);
const named = args.findIndex((arg) => !Object.hasOwn(GROUPS, arg));
const chosen = named === -1 ? args : args.slice(0, named);
const jestArgs = named === -1 ? [] : args.slice(named);
/** Building the image takes minutes and a machine that may: only where it is named or required. */
const usual = ({ onlyAsked }) => !onlyAsked || process.env.TEST_IMAGE === 'required';
const groups = Object.keys(GROUPS).filter((name) =>
  chosen.length === 0 ? usual(GROUPS[name]) : chosen.includes(name),
);

const state = stateOfFiles();
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
    await ensureBuilt({ bundle: groups.includes('faults') && jestArgs.length === 0 && !known('faults') });
    const env = { ...process.env, NODE_ENV: 'test', TEST_PROCESSES: processesFolder() };
    if (env.TEST_ORDER === 'random') env.TEST_ORDER = randomBytes(4).toString('hex');
    if (env.TEST_ORDER) console.error(`The order of files is that of TEST_ORDER=${env.TEST_ORDER}.`);
    if (groups.some((name) => GROUPS[name].servers && !known(name))) Object.assign(env, await startServers());
    const results = [];
    for (const name of groups) if (!interrupted) results.push(await resultOf(name, env));
    return report(results);
  } catch (error) {
    console.error(error instanceof LaunchError ? error.message : error);
    return 1;
  } finally {
    for (const close of closers.reverse()) await close();
  }
}

/** What a group came to before, where that is enough. */
function known(name) {
  return process.argv.includes(UNLESS_PASSED) ? passedBefore(name, state) : undefined;
}

async function resultOf(name, env) {
  const before = known(name);
  if (before) {
    console.error(`\n== ${name}: has passed on these very files`);
    return { name, ...before };
  }
  const { failed, ...counts } = await runGroup(name, env);
  if (failed === 0 && jestArgs.length === 0 && !interrupted && stateOfFiles() === state)
    keepPassed(name, state, { passed: counts.passed, failed, skipped: counts.skipped });
  return { ...counts, failed };
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
 * The path of this machine's Chromium; undefined where it has none: then the tests of renderings in it are left out. The
 * headless shell comes first: a picture costs it an eighth of the CPU time.
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

async function runGroup(name, env) {
  console.error(`\n== ${name}`);
  const [outcome, times, costs] = ['json', 'times', 'costs'].map((kind) => join(scratch, `${name}.${kind}`));
  const start = { time: performance.now(), postgres: cpuSecondsOf(postgresPid) };
  const timesFile = openSync(times, 'w');
  jest = startTied(
    process.execPath,
    [
      join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js'),
      `--config=${join(ROOT, 'jest.config.mjs')}`,
      `--selectProjects=${name}`,
      `--maxWorkers=${GROUPS[name].workers}`,
      `--testTimeout=${HANGS_AFTER_MS}`,
      '--json',
      `--outputFile=${outcome}`,
      '--reporters=default',
      `--reporters=${join(ROOT, 'test', 'support', 'runner', 'cost-reporter.mjs')}`,
      ...(jestArgs.length > 0 ? ['--passWithNoTests', ...jestArgs] : []),
    ],
    // Jest's report is on standard error; its JSON, on standard output too, is read from the file.
    { cwd: ROOT, env: { ...env, COST_REPORT: costs }, stdio: ['pipe', 'ignore', 'inherit', timesFile] },
  );
  const code = await jest.gone;
  closeSync(timesFile);
  const counts = readCounts(outcome);
  return {
    name,
    ...counts,
    // Jest may fail without a failing test: a file that does not load, a group without any test, a crash.
    failed: code === 0 ? counts.failed : Math.max(counts.failed, 1),
    seconds: (performance.now() - start.time) / 1000,
    cpuSeconds: cpuSecondsFromTimes(times),
    postgresSeconds: cpuSecondsOf(postgresPid) - start.postgres,
    files: readFileCosts(costs),
  };
}

/**
 * Starts a program in a group of its own. The shell that stands before it ends the whole group when its standard
 * input closes: when told to, when the program has ended, or when this process is gone, however it went. It writes the CPU
 * time of the program to descriptor 3, where there is one.
 */
function startTied(program, args, options) {
  const script =
    'exec 4<&0; "$@" </dev/null 3>&- 4<&- & child=$!; (cat <&4 >/dev/null; kill -TERM 0) & wait "$child"; code=$?; { times >&3; } 2>/dev/null; exit $code';
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

function readCounts(file) {
  try {
    const result = JSON.parse(readFileSync(file, 'utf8'));
    return {
      passed: result.numPassedTests,
      failed: result.numFailedTests + result.numRuntimeErrorTestSuites,
      skipped: result.numPendingTests + result.numTodoTests,
    };
  } catch {
    // Jest did not come as far as a report; its exit code says the rest.
    return { passed: 0, failed: 0, skipped: 0 };
  }
}

function report(results) {
  const sum = (what) => results.reduce((total, result) => total + result[what], 0);
  printCosts(results);
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
