/** The dependency audit against a registry that the test runs: which advisories fail the check, and which do not. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** Advisories by package, in the format of a registry's answer. */
type Advisories = Readonly<Record<string, readonly object[]>>;

let answer: { readonly status: number; readonly advisories: Advisories };
let asked: Record<string, readonly string[]>;
let registry: Server;

beforeAll(async () => {
  registry = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      if (request.method === 'POST') asked = JSON.parse(String(gunzipSync(Buffer.concat(parts))));
      response.writeHead(request.method === 'POST' ? answer.status : 404, {
        'content-type': 'application/json',
      });
      response.end(JSON.stringify(request.method === 'POST' ? answer.advisories : {}));
    });
  }).listen(0, '127.0.0.1');
  await once(registry, 'listening');
});
afterAll(() => registry.close());

function audit(env: Record<string, string> = {}): Promise<{ readonly code: number; readonly text: string }> {
  const address = `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`;
  // npm caches advisories by id.
  const cache = mkdtempSync(join(tmpdir(), 'waypost-audit-'));
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['bin/audit.mjs'],
      { env: { ...process.env, AUDIT: '', npm_config_registry: address, npm_config_cache: cache, ...env } },
      (error, text) => {
        rmSync(cache, { recursive: true, force: true });
        resolve({ code: error ? Number(error.code) : 0, text });
      },
    );
  });
}
const advisory = (severity: string): Advisories => ({
  handlebars: [
    {
      ...{ id: 1, title: 'Whoever writes a template runs code', severity, vulnerable_versions: '>=0.0.1' },
      url: 'https://github.com/advisories/GHSA-aaaa-bbbb-cccc',
    },
  ],
});

test.each([
  ['critical', 1],
  ['high', 1],
  ['moderate', 0],
  ['low', 0],
])('one that is %s ends with %d, and is named', async (severity, code) => {
  answer = { status: 200, advisories: advisory(severity) };
  const outcome = await audit();
  expect(outcome.text).toContain(`${severity}: handlebars >=0.0.1: Whoever writes a template runs code`);
  expect(outcome.code).toBe(code);
});

test('what the product runs on is asked for, tools of its makers are not', async () => {
  answer = { status: 200, advisories: {} };
  expect((await audit()).code).toBe(0);
  expect(Object.keys(asked)).toEqual(expect.arrayContaining(['handlebars', 'typeorm', 'fastify']));
  expect(Object.keys(asked)).not.toContain('eslint');
});

test.each([
  ['a check', '', 0],
  ['one that requires it', 'required', 1],
])('a registry without advisories lets %s end with "%s" %d', async (_, AUDIT, code) => {
  answer = { status: 405, advisories: {} };
  const outcome = await audit({ AUDIT });
  expect(outcome.text).toContain('told of no advisories');
  expect(outcome.code).toBe(code);
});
