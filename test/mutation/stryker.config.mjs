const { MUTATION_MODULE: module } = process.env;
const domain = `src/modules/${module}/domain/**/*`;
const reports = `.stryker/${module}`;

export default {
  testRunner: 'vitest',
  vitest: { configFile: 'test/mutation/vitest.config.mjs' },
  mutate: [`${domain}.ts`, `!${domain}.spec.ts`],
  ignorePatterns: [
    '*',
    ...['src/**', 'test/support/**', 'test/mutation/*.mjs', 'package.json', 'tsconfig.json'].map(
      (kept) => `!${kept}`,
    ),
  ],
  disableTypeChecks: false,
  concurrency: 2,
  incremental: true,
  incrementalFile: `${reports}/incremental.json`,
  reporters: ['clear-text', 'progress-append-only', 'json', 'html'],
  jsonReporter: { fileName: `${reports}/report.json` },
  htmlReporter: { fileName: `${reports}/report.html` },
  tempDirName: `${reports}/sandbox`,
};
