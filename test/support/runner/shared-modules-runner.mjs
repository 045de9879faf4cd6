/**
 * A Jest runner that runs test files in plain Node processes, each of which keeps its modules from one file to the
 * next: the service's 2,000 modules are loaded once per worker, not once per file. worker.mjs describes a worker.
 */
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { Worker } from 'jest-worker';

const TYPESCRIPT = new URL('typescript.mjs', import.meta.url).href;

export default class SharedModulesRunner {
  isSerial = false;
  supportsEventEmitters = false;

  constructor(globalConfig) {
    this.globalConfig = globalConfig;
  }

  async runTests(sequenced, _watcher, onStart, onResult, onFailure) {
    const { TEST_ORDER } = process.env;
    const tests = TEST_ORDER ? shuffled(sequenced, TEST_ORDER) : sequenced;
    const pool = new Worker(fileURLToPath(new URL('worker.mjs', import.meta.url)), {
      exposedMethods: ['runFile'],
      numWorkers: Math.min(this.globalConfig.maxWorkers, tests.length),
      // If the process of a file dies, the file has failed. It is not retried.
      maxRetries: 0,
      forkOptions: {
        stdio: 'inherit',
        execArgv: [`--import=${TYPESCRIPT}`, '--enable-source-maps', '--max-semi-space-size=64'],
      },
    });
    const { globalConfig } = this;
    try {
      await Promise.all(
        tests.map(async (test) => {
          try {
            const { config } = test.context;
            const running = pool.runFile({ path: test.path, globalConfig, config });
            running.UNSTABLE_onCustomMessage(() => onStart(test));
            await onResult(test, await running);
          } catch (error) {
            await onFailure(test, { message: error.message, stack: error.stack ?? `${error}` });
          }
        }),
      );
    } finally {
      await pool.end();
    }
  }
}

/** Orders by a hash of the seed and the path, so that a seed gives the same order on every machine. */
function shuffled(tests, seed) {
  const keyOf = ({ path, context }) =>
    createHash('sha256').update(seed).update(path.slice(context.config.rootDir.length)).digest('hex');
  return [...tests].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}
