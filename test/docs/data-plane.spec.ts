/** Runs the examples of docs/data-plane.md unchanged, with a shell and curl, against the whole service. */
import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bootApp, type TestApp, type TestWorkspace } from '../support/app.js';
import { until } from '../support/until.js';

const run = promisify(execFile);
const PAGE = readFileSync(join(import.meta.dirname, '../../docs/data-plane.md'), 'utf8');
const EXAMPLE = /```sh\n(curl .*?)```\s*```json (\d+)\n(.*?)```/gs;
const EXAMPLES = [...PAGE.matchAll(EXAMPLE)].map(([, command = '', status = '', answer = '']) => ({
  command: command.trim(),
  status: Number(status),
  answer: answer.trim(),
}));

/** Matches any text in the page's answers. */
const ANYTHING = '…';

let app: TestApp;
let workspace: TestWorkspace;

beforeAll(async () => {
  app = await bootApp();
  workspace = await app.workspace();
});
afterAll(() => app.close());

test('every command of the page has its answer', () => {
  expect(EXAMPLES.length).toBeGreaterThanOrEqual(10);
  expect(PAGE.match(/^curl /gm)?.length).toBe(EXAMPLES.length);
});

/** Without curl the commands are skipped, unless TEST_CURL requires them. */
const hasCurl = spawnSync('curl', ['--version']).status === 0 || process.env['TEST_CURL'] === 'required';

(hasCurl ? test : test.skip)('the commands of the page are answered as it says', async () => {
  for (const { command, status, answer } of EXAMPLES) {
    if (command.includes('/export')) await until('the events are processed', contactsOfEvents);
    const { stdout } = await run('bash', ['-c', `${command} --silent --write-out '\n%{http_code}'`], {
      env: {
        PATH: process.env['PATH'],
        URL: app.url,
        WORKSPACE: workspace.id,
        KEY: workspace.key,
        NO_PROXY: '*',
      },
    });
    const end = stdout.lastIndexOf('\n');
    const [body, code] = [stdout.slice(0, end), Number(stdout.slice(end + 1))];
    expect({ command, code, body: body === '' ? '' : (JSON.parse(body) as unknown) }).toMatchObject({
      command,
      code: status,
      body: answer === '' ? '' : (wanted(JSON.parse(answer)) as object),
    });
  }
});

async function contactsOfEvents(): Promise<boolean> {
  return (await workspace.call('GET', '/v1/contacts/ada')).status === 200;
}

function wanted(value: unknown): unknown {
  if (value === ANYTHING) return expect.any(String);
  if (Array.isArray(value)) return value.map(wanted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, wanted(inner)]));
}
