/**
 * Runs test files one after the other in one process, with jest-circus's own adapter. Jest gives the adapter a virtual
 * machine and a module registry; here both are Node's own. A file therefore sees what earlier files left in modules and
 * globals.
 */
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { ModernFakeTimers } from '@jest/fake-timers';
import runner from 'jest-circus/runner';
import { messageParent } from 'jest-worker';
import { ModuleMocker } from 'jest-mock';
import { childCpuSecondsOf } from '../../../bin/test-costs.mjs';

const { default: adapter } = runner;
const require = createRequire(import.meta.url);
const mocker = new ModuleMocker(globalThis);
let setUp = false;

/** The part of Jest's runtime that jest-circus uses. */
const runtime = {
  requireInternalModule: (path) => {
    // The module stores a file's tests in module state, so each file needs a new copy.
    delete require.cache[path];
    delete globalThis[Symbol.for('EVENT_HANDLERS')];
    return require(path);
  },
  requireModule: (path) => require(path),
  setGlobalsForRuntime: () => undefined,
  unstable_shouldLoadAsEsm: () => true,
  unstable_importModule: (path) => import(pathToFileURL(path).href),
  enterTestCode: () => undefined,
  leaveTestCode: () => undefined,
};

export async function runFile({ path, globalConfig, config }) {
  messageParent('begun');
  const before = { own: process.cpuUsage(), children: childCpuSecondsOf(process.pid) };
  const timers = new ModernFakeTimers({ config, global: globalThis });
  globalThis.jest = {
    fn: (implementation) => mocker.fn(implementation),
    spyOn: (...args) => mocker.spyOn(...args),
    restoreAllMocks: () => mocker.restoreAllMocks(),
    useFakeTimers: (options) => timers.useFakeTimers(options),
    useRealTimers: () => timers.useRealTimers(),
    advanceTimersByTime: (ms) => timers.advanceTimersByTime(ms),
    advanceTimersByTimeAsync: (ms) => timers.advanceTimersByTimeAsync(ms),
  };
  if (!setUp) for (const file of config.setupFiles) await import(pathToFileURL(file).href);
  setUp = true;
  const start = Date.now();
  const result = await adapter(globalConfig, config, { global: globalThis }, runtime, path);
  const end = Date.now();
  const { user, system } = process.cpuUsage(before.own);
  return {
    ...result,
    perfStats: { ...result.perfStats, start, end, runtime: end - start, slow: false },
    cpuMs: Math.round((user + system) / 1000 + (childCpuSecondsOf(process.pid) - before.children) * 1000),
  };
}
