/** The unit tests of MUTATION_MODULE, as Vitest runs them: its runner for Stryker keeps to the tests that reach a mutant. */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  resolve: { alias: { '@jest/globals': 'vitest' } },
  test: {
    globals: true,
    isolate: false,
    include: [`src/modules/${process.env.MUTATION_MODULE}/**/*.spec.ts`],
    setupFiles: ['test/support/property-seed.ts'],
  },
});
