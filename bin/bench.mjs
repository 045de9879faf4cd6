/**
 * Runs the benchmarks: `npm run bench`, or `npm run bench -- --only ingest,mail --quick --json FILE`. The service is
 * built as for a start. The benchmarks are compiled into the packages' folder: they resolve packages from there, and a
 * build of the service does not delete them.
 */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuilt, LaunchError, ROOT } from './build.mjs';

process.chdir(ROOT);
try {
  await ensureBuilt();
  const { main } = await import(pathToFileURL(join(await compileBench(), 'main.js')).href);
  process.exit(await main(process.argv.slice(2)));
} catch (error) {
  console.error(error instanceof LaunchError ? error.message : error);
  process.exit(1);
}

async function compileBench() {
  const { transformFile } = await import('@swc/core');
  const output = join(ROOT, 'node_modules', '.cache', 'waypost-bench', String(process.pid));
  process.once('exit', () => rmSync(output, { recursive: true, force: true }));
  for (const name of readdirSync(join(ROOT, 'bench'), { recursive: true }).filter((file) =>
    file.endsWith('.ts'),
  )) {
    const { code } = await transformFile(join(ROOT, 'bench', name), { cwd: ROOT, sourceMaps: 'inline' });
    const file = join(output, name.replace(/\.ts$/, '.js'));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, code);
  }
  return output;
}
