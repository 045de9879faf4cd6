/**
 * Starts one of the service's processes: `up` (everything on the embedded default), `api`, `worker` or `cli`. Builds
 * first when needed. The service runs in this process, so that it receives signals and sets the exit code. The build
 * prints nothing unless it fails, and then on standard error.
 *
 * The scripts of package.json begin with `exec`, since npm passes signals on to its shell, which would keep them.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BUNDLE, ensureBuilt, LaunchError, processesFolder, ROOT } from './build.mjs';

const PROCESSES = ['up', 'api', 'worker', 'cli'];
const NEEDED_NODE = [20, 19];

const [name, ...rest] = process.argv.slice(2);
try {
  checkNode();
  if (!PROCESSES.includes(name))
    throw new LaunchError(`Usage: node bin/start.mjs ${PROCESSES.join('|')} [arguments]`);
  // What the environment says already goes before the file.
  if (existsSync(join(ROOT, '.env'))) process.loadEnvFile(join(ROOT, '.env'));
  await ensureBuilt();
} catch (error) {
  console.error(error instanceof LaunchError ? error.message : error);
  process.exit(1);
}
const folder = processesFolder();
// Stack traces name the sources, not the lines of the bundle.
if (folder === BUNDLE) process.setSourceMapsEnabled(true);
const entry = join(folder, `${name}.main.js`);
process.argv = [process.execPath, entry, ...rest];
if (process.env.npm_lifecycle_event?.startsWith('start')) endWithNpm();
await import(pathToFileURL(entry).href);

/** npm passes on SIGINT and SIGTERM; where another signal ends it, nothing but the new parent tells. */
function endWithNpm() {
  const npm = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === npm) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 1_000).unref();
}

function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > NEEDED_NODE[0] || (major === NEEDED_NODE[0] && minor >= NEEDED_NODE[1])) return;
  throw new LaunchError(
    `Node ${NEEDED_NODE.join('.')} or newer is needed; this is ${process.versions.node}.`,
  );
}
