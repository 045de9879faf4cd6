/**
 * A process that cannot start reports the reason with its own codes and messages, without passwords of URLs or input.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ServiceProcess } from '../support/service-process.js';
import { until } from '../support/until.js';

let dataDir: string;
beforeAll(() => (dataDir = mkdtempSync(join(tmpdir(), 'waypost-failing-start-'))));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

const ADDRESS = 'postgres://operator:START-CANARY@127.0.0.1:1/START-CANARY';

/** The whole output of the process, which must have exited with an error. */
async function outputOf(name: string, args: readonly string[], env: Record<string, string>): Promise<string> {
  const failing = ServiceProcess.start(name, { DATA_DIR: dataDir, LOG_LEVEL: 'trace', ...env }, args);
  expect((await failing.gone()).code).toBe(1);
  await until('its words are read', () => failing.isRead);
  return failing.output;
}

test.each([
  ['nobody answers there', ADDRESS, 'DATABASE_URL cannot be reached'],
  [
    'what nobody foresaw',
    `${ADDRESS}?sslrootcert=/START-CANARY`,
    'An unexpected error stopped the process: Error ENOENT',
  ],
])('an address of the database: %s', async (_, url, words) => {
  for (const [name, ...args] of [['cli', 'migrate'], ['api']] as const) {
    const output = await outputOf(name, args, { DATABASE_URL: url });
    expect(output).toContain(words);
    expect(output).not.toContain('START-C');
  }
});

test('a seed file that is no JSON', async () => {
  const file = join(dataDir, 'seed.json');
  writeFileSync(file, '{"key": START-CANARY}');
  const output = await outputOf('cli', ['seed', file], { DATABASE_URL: ADDRESS });
  expect(output).toContain('is not valid JSON');
  expect(output).not.toContain('START-C');
});
