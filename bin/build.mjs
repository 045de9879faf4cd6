/**
 * Builds `dist` from `src`, whenever the two differ, so that a start needs no build step of its own. The new build
 * grows in a folder apart and takes the place of the old one whole: starts at the same moment disturb nothing.
 * Run by itself it builds in any case, and bundles the processes as well.
 */
import { spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DIST = join(ROOT, 'dist');
const STAMP = join(DIST, '.stamp');
export const BUNDLE = join(DIST, 'bundle');
const BUNDLE_STAMP = join(BUNDLE, '.stamp');
const WORKSHOP = join(ROOT, '.build');
const LOCK = join(WORKSHOP, 'lock');
/** What the build depends on, besides `src`. */
const SETTINGS = ['.swcrc', 'package.json', 'bin/compile.mjs'];
/** What the bundle depends on, besides `dist`. */
const BUNDLE_SETTINGS = ['package-lock.json', 'bin/bundle.mjs'];

/** A failure that the user can fix. Only its message is shown. */
export class LaunchError extends Error {}

/**
 * Builds `dist` when `src` has changed. Without a `src`, as in an image, `dist` is used as it is.
 * @param {{ force?: boolean, bundle?: boolean }} [options] force: build even when nothing has changed; bundle: bundle
 * the processes as well.
 * @throws {LaunchError} when packages are missing or the build fails, with the compiler's message.
 */
export async function ensureBuilt({ force = false, bundle = false } = {}) {
  if (!existsSync(join(ROOT, 'node_modules', 'reflect-metadata')))
    throw new LaunchError('The packages are not installed: run `npm ci` first.');
  if (!existsSync(join(ROOT, 'src')) && existsSync(DIST)) return;
  if (!force && isCurrent(fingerprint()) && (!bundle || isBundled())) return;
  const release = await takeLock();
  try {
    const wanted = fingerprint();
    // The previous holder of the lock may have built this already.
    if (force || !isCurrent(wanted)) await build(wanted);
    if (bundle && !isBundled()) await makeBundle();
  } finally {
    release();
  }
}

/** The folder that processes start from: the bundle if it was made from this `dist`, otherwise the compiled files. */
export function processesFolder() {
  return isBundled() ? BUNDLE : join(DIST, 'processes');
}

function isBundled() {
  return existsSync(BUNDLE_STAMP) && readFileSync(BUNDLE_STAMP, 'utf8') === bundleFingerprint();
}

function bundleFingerprint() {
  const hash = createHash('sha256').update(readFileSync(STAMP));
  for (const name of BUNDLE_SETTINGS) hash.update(readFileSync(join(ROOT, name)));
  return hash.digest('hex');
}

function isCurrent(wanted) {
  return existsSync(STAMP) && readFileSync(STAMP, 'utf8') === wanted;
}

/** By content, since times say little after a checkout or a copy. */
function fingerprint() {
  const sources = readdirSync(join(ROOT, 'src'), { recursive: true })
    .filter((name) => !name.endsWith('.spec.ts') && statSync(join(ROOT, 'src', name)).isFile())
    .sort()
    .map((name) => join('src', name));
  const hash = createHash('sha256');
  for (const name of [...SETTINGS, ...sources])
    hash
      .update(`${name}\0`)
      .update(readFileSync(join(ROOT, name)))
      .update('\0');
  return hash.digest('hex');
}

async function build(wanted) {
  const draft = join(WORKSHOP, randomUUID());
  const output = join(draft, 'dist');
  // What builds left that were ended half-way.
  for (const name of readdirSync(WORKSHOP))
    if (join(WORKSHOP, name) !== LOCK) rmSync(join(WORKSHOP, name), { recursive: true, force: true });
  mkdirSync(draft);
  try {
    await run('compile.mjs', output);
    writeFileSync(join(output, '.stamp'), wanted);
    if (existsSync(DIST)) renameSync(DIST, join(draft, 'former'));
    renameSync(output, DIST);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Bundles in place: without its stamp, which comes last, nobody takes it. */
async function makeBundle() {
  rmSync(BUNDLE, { recursive: true, force: true });
  await run('bundle.mjs');
  writeFileSync(BUNDLE_STAMP, bundleFingerprint());
}

function run(script, ...args) {
  if (!existsSync(join(ROOT, 'node_modules', '@swc', 'core')))
    throw new LaunchError(
      '`dist` is not up to date, and the compiler is not installed: run `npm ci` with devDependencies.',
    );
  const child = spawn(process.execPath, [join(ROOT, 'bin', script), ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (errors += text));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0 ? resolve() : reject(new LaunchError(`The build failed:\n${errors.trim()}`)),
    );
  });
}

/** One builder at a time; a lock whose holder is gone is taken over. */
async function takeLock() {
  for (;;) {
    mkdirSync(WORKSHOP, { recursive: true });
    try {
      writeFileSync(LOCK, String(process.pid), { flag: 'wx' });
      return () => rmSync(LOCK, { force: true });
    } catch (error) {
      if (error.code !== 'EEXIST') throw unwritable(error);
    }
    if (isAbandoned()) rmSync(LOCK, { force: true });
    else await sleep(50);
  }
}

function isAbandoned() {
  try {
    const holder = Number(readFileSync(LOCK, 'utf8'));
    // Written a moment after it is made.
    if (holder === 0) return Date.now() - statSync(LOCK).mtimeMs > 5_000;
    process.kill(holder, 0);
    return false;
  } catch (error) {
    // Somebody else's process (EPERM) is alive; a lock that is gone (ENOENT) needs no help.
    return error.code === 'ESRCH';
  }
}

function unwritable(error) {
  return new LaunchError(
    `The checkout cannot be written (${error.code}), and \`dist\` is not up to date: build it as its owner.`,
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    await ensureBuilt({ force: true, bundle: true });
  } catch (error) {
    console.error(error instanceof LaunchError ? error.message : error);
    process.exit(1);
  }
}
