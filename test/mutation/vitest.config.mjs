/** The unit tests of MUTATION_MODULE, as Vitest runs them: its runner for Stryker keeps to the tests that reach a mutant. */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Stryker counts failed tests alone: a file that a mutant keeps from being loaded is an error, and no survivor. */
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
    // Stryker ends what hangs, measured by how long the tests took on this machine.
    testTimeout: 0,
    reporters: [loadErrors],
    include: [`src/modules/${process.env.MUTATION_MODULE}/**/*.spec.ts`],
    setupFiles: ['test/support/property-seed.ts'],
  },
});
