/**
 * The groups of tests; `npm test` runs them one after the other (bin/test.mjs), and starts the PostgreSQL and the
 * Redis that those outside of `src` speak with. Files run in plain Node with modules shared, see test/support/runner.
 */
const group = (displayName, testMatch, rest = {}) => ({
  displayName,
  testMatch,
  rootDir: import.meta.dirname,
  roots: ['<rootDir>/src', '<rootDir>/test'],
  runner: '<rootDir>/test/support/runner/shared-modules-runner.mjs',
  transform: {},
  setupFiles: ['<rootDir>/test/support/property-seed.ts'],
  ...rest,
});

export default {
  projects: [
    group('unit', ['<rootDir>/src/**/*.spec.ts']),
    group('architecture', ['<rootDir>/test/architecture/**/*.spec.ts']),
    group('drift', ['<rootDir>/test/contract/**/*.spec.ts']),
    group('integration', ['<rootDir>/test/**/*.spec.ts'], {
      testPathIgnorePatterns: ['<rootDir>/test/architecture/', '<rootDir>/test/contract/'],
    }),
    group('e2e', ['<rootDir>/test/e2e/**/*.e2e-spec.ts']),
    group('faults', ['<rootDir>/test/faults/**/*.fault-spec.ts']),
    group('image', ['<rootDir>/test/image/**/*.image-spec.ts']),
  ],
};
