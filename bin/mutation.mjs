/**
 * Mutation testing of the pure core: `npm run mutation`, or `npm run mutation -- limits segments` for some modules;
 * whatever follows the modules goes to Stryker (`npm run mutation -- limits --mutate src/modules/limits/domain/plan.ts`).
 * Stryker is a package of its own, installed when it is first used.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './build.mjs';

const MODULES = ['delivery', 'feedback', 'limits', 'metrics', 'segments', 'trips'];
const PACKAGE = join(ROOT, 'test/mutation');
const STRYKER = join(PACKAGE, 'node_modules/@stryker-mutator/core/bin/stryker.js');

const args = process.argv.slice(2);
const options = args.findIndex((arg) => !MODULES.includes(arg));
const named = options === -1 ? args : args.slice(0, options);
const strykerArgs = options === -1 ? [] : args.slice(options);

if (!existsSync(STRYKER)) run('npm', ['ci', '--prefix', PACKAGE, '--no-audit', '--no-fund']);
for (const module of named.length > 0 ? named : MODULES)
  run(process.execPath, [STRYKER, 'run', join(PACKAGE, 'stryker.config.mjs'), ...strykerArgs], {
    MUTATION_MODULE: module,
  });

function run(command, commandArgs, env = {}) {
  const { status } = spawnSync(command, commandArgs, {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  if (status !== 0) process.exit(status ?? 1);
}
