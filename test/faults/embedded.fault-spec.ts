/**
 * The embedded default from a new user's view: one command, a line to copy, a mail in the mailbox; every kind of exit
 * leaves no process behind, and the next start uses the same data. An error in the operator's settings is reported in
 * one line.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readPostmasterFile } from '../../src/platform/embedded/postmaster-file.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { freePort, isAlive, ServiceProcess, treeOf } from '../support/service-process.js';
import { figure } from '../support/figure.js';
import { until } from '../support/until.js';

interface Message {
  readonly id: string;
  readonly to: readonly string[];
  readonly subject: string;
}

let scratch: string;
let store: TestDatabase;
let env: Record<string, string>;
let url: string;
let mailbox: string;
let service: ServiceProcess;

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'waypost-embedded-'));
  store = await createTestDatabase();
  const [port, mailboxPort] = [await freePort(), await freePort()];
  url = `http://127.0.0.1:${port}`;
  mailbox = `http://127.0.0.1:${mailboxPort}`;
  env = { PORT: String(port), MAILBOX_PORT: String(mailboxPort), DATA_DIR: join(scratch, 'data') };
});

afterAll(async () => {
  await service?.stop();
  await store.drop();
  rmSync(scratch, { recursive: true, force: true });
});

describe('from start to start', () => {
  test('the first start prints what is where, and the line that makes a mail arrive', async () => {
    const begun = Date.now();
    service = await ServiceProcess.start('up', env).ready(url);
    figure(`Ready ${Date.now() - begun} ms after the first start.`);
    await service.wrote('curl -X POST');
    for (const address of [url, `${url}/docs`, `${url}/graphql`, mailbox])
      expect(service.output).toContain(address);
    expect(service.errors).toBe('');
    for (const path of ['/docs', '/openapi.json', '/graphql'])
      expect((await fetch(url + path, { headers: { accept: 'text/html' } })).status).toBe(200);
    expect(await messages()).toEqual([]);
    await expectDemo();

    const line = /^ *(curl .*)$/m.exec(service.output)?.[1] ?? '';
    const answer = await promisify(execFile)('/bin/sh', [
      '-c',
      `${line} --silent --write-out '\\n%{http_code}'`,
    ]);
    expect(answer.stdout.trim().split('\n').at(-1)).toBe('202');
    await until('the mail arrives', async () => (await messages()).length === 1);
    const [mail] = await messages();
    expect(mail?.subject).toBe('Welcome, Ada');
    expect(JSON.stringify(mail?.to)).toContain('ada@example.com');
    const page = await (await fetch(mailbox)).text();
    expect(page).toContain('<html');
  });

  test.each(['SIGINT', 'SIGTERM'] as const)(
    '%s ends everything, and the next start has all of it',
    async (signal) => {
      const before = { mails: await messages(), lines: linesOf(service.output) };
      const tree = descendants();
      expect(tree.length).toBeGreaterThan(1);
      expect(await service.stop(signal)).toEqual({ code: 0, signal: null });
      expect(tree.filter(isAlive)).toEqual([]);
      service = await ServiceProcess.start('up', env).ready(url);
      await service.wrote('curl -X POST');
      expect(await messages()).toEqual(before.mails);
      // The same workspace, the same key, the same line.
      expect(linesOf(service.output)).toEqual(before.lines);
    },
  );

  test('a second start on the same folder is one line, and does no harm', async () => {
    const other = { ...env, PORT: String(await freePort()), MAILBOX_PORT: String(await freePort()) };
    const refusal = await refused(other);
    expect(refusal).toContain(`is in use by process ${service.pid}`);
    expect((await fetch(`${url}/health/ready`)).status).toBe(200);
  });

  test('kill -9 of the parent alone: nothing outlives it for long, and the next start works', async () => {
    const before = await messages();
    const tree = descendants();
    service.child.kill('SIGKILL');
    const killed = Date.now();
    // Immediately, while processes of the killed start may still be exiting.
    const next = ServiceProcess.start('up', env);
    await service.gone();
    await until('nothing of it is left', () => !tree.some(isAlive));
    figure(`What a killed start left was gone after ${Date.now() - killed} ms.`);
    service = await next.ready(url);
    expect(await messages()).toEqual(before);
  });

  test('SIGTERM to the database alone: it is back in a moment, with everything', async () => {
    const database = readPostmasterFile(join(scratch, 'data', 'postgres'));
    const before = await messages();
    const signalledAt = Date.now();
    process.kill(database?.pid ?? 0, 'SIGTERM');
    await service.wrote('The database stopped and was restarted');
    await service.ready(url);
    figure(`Ready again ${Date.now() - signalledAt} ms after a shutdown of the database alone.`);
    expect(readPostmasterFile(join(scratch, 'data', 'postgres'))?.pid).not.toBe(database?.pid);
    const line = /^ *(curl .*)$/m.exec(service.output)?.[1] ?? '';
    await promisify(execFile)('/bin/sh', ['-c', `${line.replaceAll('ada', 'eve')} --silent --fail`]);
    await until('a mail arrives', async () => (await messages()).length === before.length + 1);
  });

  test('no process of it is left at the end, in its tree or out of it', async () => {
    await service.stop('SIGTERM');
    await until('nobody works on its folder', () => programsNaming(scratch).length === 0);
  });
});

describe('what the operator must mend is one line, and exit code 1', () => {
  const file = (): string => {
    const path = join(scratch, 'a-file');
    writeFileSync(path, '');
    return path;
  };
  const nobody = 'postgres://postgres:pw@127.0.0.1:1/postgres';
  const refusals: [string, () => Promise<Record<string, string>>, RegExp][] = [
    [
      'a DATA_DIR below a file',
      async () => ({ DATA_DIR: join(file(), 'data') }),
      /^DATA_DIR .* is not writable/,
    ],
    [
      'a DATA_DIR where nobody may write',
      async () => ({ DATA_DIR: '/proc/waypost' }),
      /^DATA_DIR .* is not writable/,
    ],
    [
      'a DATABASE_URL where nobody is',
      async () => ({ DATABASE_URL: nobody }),
      /^DATABASE_URL cannot be reached/,
    ],
    [
      'a DATABASE_URL with a user unknown there',
      async () => ({ DATABASE_URL: databaseWith({ username: 'nobody_here' }) }),
      /^DATABASE_URL was rejected/,
    ],
    [
      'a DATABASE_URL of a database that does not exist',
      async () => ({ DATABASE_URL: databaseWith({ pathname: '/no_such_database' }) }),
      /^DATABASE_URL names a database that does not exist/,
    ],
    [
      'a DATABASE_URL that is none',
      async () => ({ DATABASE_URL: 'mysql://x' }),
      /^DATABASE_URL is not a valid URL/,
    ],
    [
      'QUEUE_BACKEND=redis without REDIS_URL',
      async () => ({ QUEUE_BACKEND: 'redis' }),
      /^REDIS_URL is missing/,
    ],
    [
      'a REDIS_URL where nobody is',
      async () => ({
        QUEUE_BACKEND: 'redis',
        REDIS_URL: 'redis://127.0.0.1:1',
        DATABASE_URL: store.adminUrl,
      }),
      /^REDIS_URL cannot be reached/,
    ],
    ['production without BASE_URL', async () => ({ NODE_ENV: 'production' }), /^BASE_URL is missing/],
    [
      'production without AUTH_JWKS_URL',
      async () => ({ NODE_ENV: 'production', BASE_URL: 'https://waypost.example' }),
      /^AUTH_JWKS_URL is missing/,
    ],
    ['a PORT that is none', async () => ({ PORT: '0' }), /^PORT must be a port .* not "0"/],
  ];

  test.each(refusals)('%s', async (_name, settings, line) => {
    const folder = mkdtempSync(join(scratch, 'refused-'));
    const port = String(await freePort());
    const own = { PORT: port, MAILBOX_PORT: String(await freePort()), DATA_DIR: join(folder, 'data') };
    expect(await refused({ ...own, ...(await settings()) })).toMatch(line);
  });

  test.each(['PORT', 'MAILBOX_PORT'] as const)('a %s that is taken', async (variable) => {
    const holder = createServer();
    const port = await freePort();
    await new Promise<void>((resolve) => holder.listen(port, '127.0.0.1', resolve));
    const folder = join(scratch, `taken-${variable}`);
    mkdirSync(folder);
    try {
      const own = {
        PORT: String(await freePort()),
        MAILBOX_PORT: String(await freePort()),
        DATA_DIR: folder,
      };
      const line = await refused({ ...own, [variable]: String(port) });
      expect(line).toMatch(new RegExp(`^${variable} ${port} is in use`));
    } finally {
      await new Promise((resolve) => holder.close(resolve));
    }
  });
});

/** Starts with settings that must prevent the start; returns its one line on standard error. */
async function refused(settings: Record<string, string>): Promise<string> {
  const start = ServiceProcess.start('up', settings);
  expect(await start.gone()).toEqual({ code: 1, signal: null });
  await until('its streams are read', () => start.isRead);
  const lines = start.errors.trimEnd().split('\n');
  expect(lines).toHaveLength(1);
  expect(start.output).toBe(start.errors);
  return lines[0] ?? '';
}

/** URL of the tests' database, with parts of it changed. */
function databaseWith(change: Partial<Pick<URL, 'username' | 'pathname'>>): string {
  return Object.assign(new URL(store.adminUrl), change).toString();
}

async function messages(): Promise<Message[]> {
  return (await (await fetch(`${mailbox}/api/messages`)).json()) as Message[];
}

/** The supervisor and PostgreSQL are detached from the terminal, but are still descendants of the start. */
function descendants(): number[] {
  return treeOf(service.pid);
}

/** The lines that a start prints for the reader, without its log. */
function linesOf(output: string): string[] {
  return output.split('\n').filter((line) => line.startsWith('  '));
}

/** Processes whose command line names the folder. */
function programsNaming(folder: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return false;
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(folder);
    } catch {
      // The process ended during the scan.
      return false;
    }
  });
}

/** Checks the demo data: contacts, valid templates, active flows. */
async function expectDemo(): Promise<void> {
  const note = readFileSync(join(scratch, 'data', 'demo.json'), 'utf8');
  const { workspaceId, key } = JSON.parse(note) as { workspaceId: string; key: string };
  const read = async (path: string): Promise<any> =>
    (await fetch(url + path, { headers: { 'x-workspace-id': workspaceId, 'x-api-key': key } })).json();
  expect((await read('/v1/contacts')).meta.total).toBe(40);
  const templates: { validation_status: string }[] = await read('/v1/templates');
  expect(templates.map(({ validation_status: status }) => status)).toEqual(['valid', 'valid', 'valid']);
  const { flows } = await read('/v1/flows');
  expect(flows.map(({ status }: { status: string }) => status)).toEqual(['active', 'active']);
}
