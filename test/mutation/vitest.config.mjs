/** Runs the unit tests of MUTATION_MODULE with Vitest, whose Stryker runner only runs the tests that reach a mutant. */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Stryker only counts failed tests. Reports a file that a mutant prevents from loading as an error, not a survivor. */
const loadErrors = {
  onInit(vitest) {
    this.vitest = vitest;
  },
  onTestModuleEnd(file) {
    for (const error of file.errors()) this.vitest.state.catchError(error, 'Unhandled Error');
  },
};

export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  resolve: { alias: { '@jest/globals': 'vitest' } },
  test: {
    globals: true,
    isolate: false,
    // Stryker stops hanging tests; it derives the timeout from the duration of the tests on this machine.
    testTimeout: 0,
    reporters: [loadErrors],
    include: [`src/modules/${process.env.MUTATION_MODULE}/**/*.spec.ts`],
    setupFiles: ['test/support/property-seed.ts'],
  },
});
