/**
 * A runner for Jest that runs files in plain Node processes, each of which keeps its modules from one file to the next:
 * the service's 2,000 modules are loaded once per worker, not once per file. See worker.mjs for what a worker does.
 */
import { fileURLToPath } from 'node:url';
import { Worker } from 'jest-worker';

const TYPESCRIPT = new URL('typescript.mjs', import.meta.url).href;

export default class SharedModulesRunner {
  isSerial = false;
  supportsEventEmitters = false;

  constructor(globalConfig) {
    this.globalConfig = globalConfig;
  }

  async runTests(tests, watcher, onStart, onResult, onFailure) {
    const pool = new Worker(fileURLToPath(new URL('worker.mjs', import.meta.url)), {
      exposedMethods: ['runFile'],
      numWorkers: Math.min(this.globalConfig.maxWorkers, tests.length),
      // A file whose process dies has failed. It is not tried again.
      maxRetries: 0,
      forkOptions: { stdio: 'inherit', execArgv: [`--import=${TYPESCRIPT}`] },
    });
    const { collectCoverageFrom, ...globalConfig } = this.globalConfig;
    try {
      await Promise.all(
        tests.map(async (test) => {
          if (watcher.isInterrupted()) return;
          try {
            const config = test.context.config;
            const onRunning = ([event, file]) => event === 'test-file-start' && void onStart(test, file);
            const running = pool.runFile({ path: test.path, globalConfig, config });
            running.UNSTABLE_onCustomMessage?.(onRunning);
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
