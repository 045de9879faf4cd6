/**
 * Runs the commands of docs/migrations.md in order and unchanged, with a shell and curl, against the whole
 * service.
 */
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sharedApp, type TestApp } from '../support/app.js';

const run = promisify(execFile);
const PAGE = readFileSync(join(import.meta.dirname, '../../docs/migrations.md'), 'utf8');
const [, SECTION = ''] = PAGE.split('\n## A migration\n');
const COMMANDS = [...(SECTION.split('\n## ')[0] ?? '').matchAll(/```sh\n(.*?)```/gs)].map(
  ([, text = '']) => text,
);

let app: TestApp;
let folder: string;
beforeAll(async () => {
  app = await sharedApp();
  folder = mkdtempSync(join(tmpdir(), 'waypost-migrations-page-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await app.close();
});

/** Without curl the commands are skipped, unless TEST_CURL requires them. */
const hasCurl = spawnSync('curl', ['--version']).status === 0 || process.env['TEST_CURL'] === 'required';

(hasCurl ? test : test.skip)('every command of the page is answered, and none is refused', async () => {
  const workspace = await app.workspace({ plan: 'starter' });
  expect(COMMANDS).toHaveLength(3);
  // The token is one of this service; the command that prints it is skipped.
  const printed = JSON.stringify({ token: workspace.ownerToken }, null, 2);
  const script = ['set -euo pipefail', 'npm() { printf %s "$PRINTED"; }', ...COMMANDS].join('\n');
  const { stdout } = await run('bash', ['-c', `${script}\necho\njson /$ID/cancel '{}' | field status`], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      URL: app.url,
      WORKSPACE: workspace.id,
      PRINTED: printed,
      NO_PROXY: '*',
    },
  });
  expect(stdout.trimEnd().split('\n').at(-1)).toBe('cancelled');
  expect(readFileSync(join(folder, 'errors.csv'), 'utf8')).toBe('row,external_id,code,detail\r\n');
});
