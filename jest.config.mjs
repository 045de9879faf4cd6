/**
 * The groups of tests; `npm test` runs them one after the other (bin/test.mjs), and starts the PostgreSQL and the
 * Redis that those outside of `src` speak with. Jest runs the sources as the ECMAScript modules that they are.
 */
const group = (displayName, testMatch, rest = {}) => ({
  displayName,
  testMatch,
  testEnvironment: 'node',
  rootDir: import.meta.dirname,
  roots: ['<rootDir>/src', '<rootDir>/test'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': ['@swc/jest'] },
  setupFiles: ['<rootDir>/test/support/property-seed.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  ...rest,
});

export default {
  // Modules loaded by Jest are kept for as long as a worker lives, some 50 MB a file.
  workerIdleMemoryLimit: '512MB',
  maxWorkers: 2,
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
