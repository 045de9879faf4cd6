/**
 * Writes the result of each file to the file that COST_REPORT names: its group, its tests, and the CPU seconds of its
 * worker and of the processes that the worker started.
 */
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';

export default class CostReporter {
  files = [];

  onTestResult(test, result) {
    const { numPassingTests, numFailingTests, numPendingTests, numTodoTests, testExecError } = result;
    this.files.push({
      group: test.context.config.displayName.name,
      path: relative(process.cwd(), test.path),
      cpuSeconds: (result.cpuMs ?? 0) / 1000,
      passed: numPassingTests,
      failed: testExecError ? Math.max(numFailingTests, 1) : numFailingTests,
      skipped: numPendingTests + numTodoTests,
    });
  }

  onRunComplete() {
    writeFileSync(process.env.COST_REPORT, JSON.stringify(this.files));
  }
}
