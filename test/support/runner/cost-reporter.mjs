/** Writes what each file cost to the file that COST_REPORT names: CPU seconds of its worker and of the processes that it started, and seconds until it ended. */
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';

export default class CostReporter {
  files = [];

  onTestResult(test, { cpuMs, perfStats, numPassingTests, numFailingTests }) {
    this.files.push({
      path: relative(process.cwd(), test.path),
      cpuSeconds: (cpuMs ?? 0) / 1000,
      seconds: perfStats.runtime / 1000,
      tests: numPassingTests + numFailingTests,
    });
  }

  onRunComplete() {
    writeFileSync(process.env.COST_REPORT, JSON.stringify(this.files));
  }
}
