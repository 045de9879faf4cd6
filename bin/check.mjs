/**
 * `npm run check`: all checks of the source that do not run the service, two at a time, the longest first. Then the quick
 * groups of tests, unless they have passed on the same files. The output of a step is shown when it ends.
 */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

const AT_ONCE = 2;
/** Scripts of package.json. The rules of imports are checked by the architecture tests, which run after them. */
const STEPS = ['lint:code', 'typecheck', 'format:check', 'lint:prose', 'lint:unused', 'audit', 'build'];
const TESTS = ['bin/test.mjs', '--unless-passed', 'unit', 'architecture', 'drift'];

const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const failed = [];
const waiting = [...STEPS];
await Promise.all(Array.from({ length: AT_ONCE }, work));
if (failed.length === 0) failed.push(...(await run('tests', process.execPath, TESTS, 'inherit')));
if (failed.length > 0) console.error(`Failed: ${failed.join(', ')}.`);
process.exitCode = failed.length > 0 ? 1 : 0;

async function work() {
  for (let step = waiting.shift(); step; step = waiting.shift())
    failed.push(...(await run(step, 'npm', ['run', '--silent', step], ['ignore', 'pipe', 'pipe'])));
}

/** @returns the step's name where it has failed. */
function run(name, program, args, stdio) {
  return new Promise((resolve, reject) => {
    const begun = performance.now();
    const child = spawn(program, args, { stdio });
    const printed = [];
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (part) => printed.push(part));
    child.once('error', reject);
    child.once('close', (code) => {
      const seconds = ((performance.now() - begun) / 1000).toFixed(0);
      console.log(`\n> ${name}: ${scripts[name] ?? args.join(' ')} (${seconds} s)`);
      process.stdout.write(Buffer.concat(printed));
      resolve(code === 0 ? [] : [name]);
    });
  });
}
