/** The operator's commands of the command line, on a real database. */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NestFactory } from '@nestjs/core';
import { decodeJwt } from 'jose';
import pg from 'pg';
import { SMTPServer } from 'smtp-server';
import { LocalIssuer } from '../../src/modules/auth/application/local-issuer.js';
import { loadConfig } from '../../src/platform/config/config.js';
import { migrate } from '../../src/platform/database/migrate.js';
import { makeLogger } from '../../src/platform/logging/logger.js';
import { CliModule } from '../../src/processes/cli/cli.module.js';
import { FailedAnswer, PlainText, type CliContext } from '../../src/processes/cli/command.js';
import { runCommand } from '../../src/processes/cli/commands.js';
import { operatorFault } from '../../src/processes/operator-fault.js';
import type { SeededWorkspace } from '../../src/processes/cli/seed.js';
import { completeConfig } from '../../src/processes/runtime.js';
import { SCHEMA } from '../../src/processes/schema.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { DnsServer } from '../support/dns-server.js';
import { MailSink } from '../support/mail-sink.js';
import { SELF_SIGNED } from '../support/self-signed.js';
import { bootProbe } from './probe-app.js';
import { UNWATCHED } from '../support/cli-world.js';

const SEED = {
  workspaces: [
    {
      name: 'Acme',
      plan: 'growth',
      payment_customer_id: 'cus_1',
      payment_subscription_id: 'sub_1',
      account_email_verified: true,
      live: true,
      company: {
        name: 'Acme Inc',
        address_line1: '1 Main St',
        city: 'Springfield',
        postal_code: '62701',
        country: 'US',
      },
      sender: { from_email: 'hello@acme.test', from_name: 'Acme' },
      settings: { frequency_cap: { max: 3, period_hours: 24 }, dnd: { start: '22:00', end: '07:00' } },
      members: [
        { email: 'owner@acme.test', name: 'Olive', role: 'owner' },
        { email: 'v@acme.test', role: 'viewer' },
      ],
      api_keys: [
        { name: 'server', scope: 'full', environment: 'live', rate_limit_per_minute: null },
        { name: 'server', scope: 'full', environment: 'test' },
      ],
      segments: [
        {
          name: 'Pro users',
          match: 'all',
          conditions: [{ field: 'properties.plan', operator: 'equals', value: 'pro' }],
        },
      ],
      templates: [
        {
          name: 'Welcome',
          slug: 'welcome',
          subject: 'Hi',
          body_html: `<p>Hi {the user's First Name, or "there"}</p>`,
        },
      ],
      contacts: [{ external_id: 'u1', email: 'u1@example.com', tags: ['new'] }, { external_id: 'u2' }],
    },
    { name: 'Later', live: false },
  ],
};
/** Tables that a seed writes, each with the column that orders its rows. */
const TABLES = {
  workspaces: 'name',
  members: 'email_key',
  api_keys: 'environment',
  segments: 'name',
  templates: 'slug',
  contacts: 'external_id',
};

let database: TestDatabase;
let folder: string;
let world: CliContext;

beforeAll(async () => {
  database = await createTestDatabase();
  folder = mkdtempSync(join(tmpdir(), 'waypost-cli-'));
  const config = loadConfig({ DATA_DIR: folder, DATABASE_URL: database.adminUrl });
  const runtime = completeConfig(config, {
    databaseUrl: database.adminUrl,
    smtpUrl: 'smtp://127.0.0.1:1',
    sandboxSmtpUrl: undefined,
  });
  const logger = makeLogger('test', 'silent');
  world = {
    config,
    now: () => new Date('2026-03-02T09:00:00.000Z'),
    readText: (file) => (file === '-' ? Promise.resolve(JSON.stringify(SEED)) : readFile(file, 'utf8')),
    ...UNWATCHED,
    readInput: () => Promise.resolve(Buffer.alloc(0)),
    migrate: () => migrate(database.adminUrl, SCHEMA),
    withServices: async (work) => {
      const app = await NestFactory.createApplicationContext(
        CliModule.register({ config: runtime, logger, schema: SCHEMA, poolSize: 2 }),
        { logger: false, abortOnError: false },
      );
      try {
        return await work(app);
      } finally {
        await app.close();
      }
    },
  };
});

afterAll(async () => {
  await database?.drop();
  rmSync(folder, { recursive: true, force: true });
});

/** Every row of the tables that a seed writes, to check that a second run changes none. */
async function dump(): Promise<unknown> {
  const client = new pg.Client({ connectionString: database.adminUrl });
  await client.connect();
  try {
    const tables: Record<string, unknown> = {};
    for (const [table, order] of Object.entries(TABLES))
      tables[table] = (
        await client.query<object>(`SELECT ctid, xmin, t.* FROM ${table} t ORDER BY t.${order}`)
      ).rows;
    return tables;
  } finally {
    await client.end();
  }
}

interface Seeded {
  readonly workspaces: readonly SeededWorkspace[];
}

/** The error message of a command. */
async function faultOf(...argv: string[]): Promise<string | undefined> {
  try {
    await runCommand(argv, world);
    return undefined;
  } catch (error) {
    const fault = operatorFault(error);
    if (fault === undefined) throw error;
    return fault;
  }
}

describe('seed', () => {
  let first: Seeded;

  test('makes all that the file names and prints it with ids and keys', async () => {
    first = (await runCommand(['seed', '-'], world)) as Seeded;
    const id = expect.stringMatching(/^[0-9a-f-]{36}$/) as string;
    const withIds = (records: readonly object[]): object[] => records.map((record) => ({ ...record, id }));
    const [acme, later] = SEED.workspaces;
    expect(first.workspaces).toEqual([
      {
        ...acme,
        id,
        members: withIds(acme?.members ?? []),
        api_keys: [
          { ...acme?.api_keys?.[0], id, key: expect.stringMatching(/^psk_live_[0-9a-f]{32}$/) as string },
          { ...acme?.api_keys?.[1], id, key: expect.stringMatching(/^psk_test_[0-9a-f]{32}$/) as string },
        ],
        segments: withIds(acme?.segments ?? []),
        templates: withIds(acme?.templates ?? []),
        contacts: withIds(acme?.contacts ?? []),
      },
      { ...later, id },
    ]);
  });

  test('stores it', async () => {
    expect(await dump()).toMatchObject({
      workspaces: [
        {
          name: 'Acme',
          plan: 'growth',
          payment_customer_id: 'cus_1',
          payment_subscription_id: 'sub_1',
          account_email_verified: true,
          live_at: expect.any(Date) as Date,
          company: SEED.workspaces[0]?.company,
          sender: SEED.workspaces[0]?.sender,
          settings: SEED.workspaces[0]?.settings,
        },
        { name: 'Later', plan: 'free', live_at: null },
      ],
      members: [
        { role: 'owner', name: 'Olive', is_active: true, invite_accepted_at: expect.any(Date) as Date },
        { role: 'viewer' },
      ],
      segments: [
        { name: 'Pro users', match: 'all', conditions: SEED.workspaces[0]?.segments?.[0]?.conditions },
      ],
      templates: [{ slug: 'welcome', version: 1 }],
      contacts: [
        { external_id: 'u1', environment: 'live', email: 'u1@example.com', tags: ['new'] },
        { external_id: 'u2' },
      ],
    });
  });

  test('changes nothing when it runs again, and prints the same ids', async () => {
    const before = await dump();
    const again = (await runCommand(['seed', '-'], world)) as Seeded;
    const withoutKeys = first.workspaces.map((workspace) => ({
      ...workspace,
      ...(workspace.api_keys && { api_keys: workspace.api_keys.map(({ key: _key, ...rest }) => rest) }),
    }));
    expect(again.workspaces).toEqual(withoutKeys);
    expect(await dump()).toEqual(before);
  });

  test('adds what a longer file names, and leaves the rest', async () => {
    const file = join(folder, 'more.json');
    const [acme] = SEED.workspaces;
    const contacts = [...(acme?.contacts ?? []), { external_id: 'u3' }];
    writeFileSync(file, JSON.stringify({ workspaces: [{ name: 'Acme', plan: 'free', contacts }] }));
    const more = (await runCommand(['seed', file], world)) as Seeded;
    expect(more.workspaces[0]?.id).toBe(first.workspaces[0]?.id);
    expect(more.workspaces[0]?.contacts?.slice(0, 2)).toEqual(first.workspaces[0]?.contacts);
    expect(await dump()).toMatchObject({
      workspaces: [{ plan: 'growth' }, {}],
      contacts: [{}, {}, { external_id: 'u3' }],
    });
  });

  test('writes nothing of a file that is wrong somewhere, and says where', async () => {
    const before = await dump();
    const file = join(folder, 'wrong.json');
    writeFileSync(file, JSON.stringify({ workspaces: [{ name: 'New' }, { name: 'Bad', plan: 'gold' }] }));
    expect(await faultOf('seed', file)).toBe(
      'invalid_field: workspaces[1].plan: must be one of free, starter, growth, enterprise',
    );
    expect(await dump()).toEqual(before);
  });

  test('tells of a file that cannot be read', async () => {
    const file = join(folder, 'broken.json');
    writeFileSync(file, '{"workspaces": [');
    expect(await faultOf('seed', file)).toContain('is not valid JSON');
    expect(await faultOf('seed', join(folder, 'absent.json'))).toContain('cannot be read (ENOENT)');
    expect(await faultOf('seed')).toContain('Specify one file');
  });
});

describe('token', () => {
  test('is accepted by an API on the same data directory, and always has the same subject', async () => {
    const print = async (...more: string[]) =>
      (await runCommand(['token', '--email', 'Owner@acme.test', ...more], {
        ...world,
        now: () => new Date(),
      })) as {
        token: string;
        subject: string;
        headers: Record<string, string>;
      };
    const [one, two] = [await print(), await print('--name', 'Olive', '--hours', '1')];
    expect(one.subject).toBe(two.subject);
    const claims = decodeJwt(two.token);
    expect(claims).toMatchObject({
      iss: 'waypost-local',
      aud: 'waypost',
      email_verified: true,
      name: 'Olive',
    });
    expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(3_600);
    const probe = await bootProbe(database.adminUrl, {}, folder);
    try {
      expect((await probe.ask('GET', 'me', one.headers)).body).toMatchObject({
        kind: 'member',
        role: 'owner',
      });
    } finally {
      await probe.close();
    }
  });

  test('comes from a key that only its owner can read, the same for all who ask at once', async () => {
    const fresh = mkdtempSync(join(tmpdir(), 'waypost-issuer-'));
    try {
      const issuers = await Promise.all(Array.from({ length: 8 }, () => LocalIssuer.open(fresh)));
      expect(new Set(issuers.map(({ document }) => JSON.stringify(document))).size).toBe(1);
      const file = join(fresh, 'identity-key.json');
      expect(statSync(file).mode & 0o777).toBe(0o600);
      expect(readFileSync(file, 'utf8')).toContain('"d"');
    } finally {
      rmSync(fresh, { recursive: true, force: true });
    }
  });

  test.each([
    [['token'], '--email must be'],
    [['token', '--email', 'nobody'], '--email must be'],
    [['token', '--email', 'a@b.c', '--hours', 'x'], '--hours must be'],
    [['token', '--email', 'a@b.c', '--workspace', 'acme'], '--workspace must be'],
    [['token', '--mail', 'a@b.c'], 'Usage: token'],
  ])('%p is refused', async (argv, text) => expect(await faultOf(...argv)).toContain(text));

  test('is not printed where an identity provider is configured', async () => {
    const identityProvider = { jwksUrl: 'https://id.example/jwks', issuer: 'i', audience: 'a' };
    const elsewhere = { ...world, config: { ...world.config, identityProvider } };
    await expect(runCommand(['token', '--email', 'a@b.c'], elsewhere)).rejects.toThrow('AUTH_JWKS_URL');
  });
});

describe('keys', () => {
  test('are made and revoked', async () => {
    const made = (await runCommand(
      [
        'key:create',
        '--workspace',
        'Acme',
        '--name',
        'ops',
        '--scope',
        'data',
        '--environment',
        'test',
        '--rate-limit',
        '5',
      ],
      world,
    )) as Record<string, string>;
    expect(made['key']).toMatch(/^psk_test_/);
    const revoked = await runCommand(
      ['key:revoke', '--workspace', made['workspace_id'] ?? '', '--id', made['id'] ?? ''],
      world,
    );
    expect(revoked).toMatchObject({ id: made['id'], name: 'ops', revoked_at: expect.any(String) as string });
  });

  test.each([
    [['key:create', '--name', 'x'], '--workspace is missing'],
    [['key:create', '--workspace', 'Nowhere', '--name', 'x'], 'There is no workspace Nowhere'],
    [['key:create', '--workspace', 'Acme'], '--name is missing'],
    [['key:create', '--workspace', 'Acme', '--name', 'x', '--scope', 'all'], '--scope must be one of'],
    [
      ['key:create', '--workspace', 'Acme', '--name', 'x', '--rate-limit', 'x'],
      'invalid_field: rate_limit_per_minute',
    ],
    [['key:revoke', '--workspace', 'Acme', '--id', 'x'], 'not_found'],
    [['key:revoke', '--workspace', 'Acme'], '--id is missing'],
  ])('%p is refused', async (argv, text) => expect(await faultOf(...argv)).toContain(text));
});

describe('rates of a workspace', () => {
  const limits = (...argv: string[]): Promise<unknown> => runCommand(['workspace:limits', ...argv], world);

  test('are shown, set and taken away where the plan leaves them open', async () => {
    await runCommand(['seed', '-'], {
      ...world,
      readText: () =>
        Promise.resolve(JSON.stringify({ workspaces: [{ name: 'Grand', plan: 'enterprise', members: [] }] })),
    });
    const open = { general: null, events: null, send: null };
    const none = { plan: 'enterprise', per_minute: null, per_hour: null, groups: open };
    expect(await limits('--workspace', 'Grand')).toMatchObject(none);
    const set = [
      '--per-minute',
      '2000',
      '--per-hour',
      '9000',
      '--group',
      'events=60000',
      '--group',
      'send=5',
    ];
    expect(await limits('--workspace', 'Grand', ...set)).toMatchObject({
      per_minute: 2_000,
      per_hour: 9_000,
      groups: { general: null, events: 60_000, send: 5 },
    });
    const away = ['--per-minute', 'unlimited', '--per-hour', 'unlimited', '--group', 'send=unlimited'];
    expect(await limits('--workspace', 'Grand', ...away)).toMatchObject({
      ...none,
      groups: { ...open, events: 60_000 },
    });
    expect(await limits('--workspace', 'Grand')).toMatchObject({ groups: { ...open, events: 60_000 } });
  });

  test.each([
    [['--workspace', 'Grand', '--per-minute', '0'], '--per-minute must be an integer'],
    [['--workspace', 'Grand', '--per-minute', '1.5'], '--per-minute must be an integer'],
    [['--workspace', 'Grand', '--per-hour', '1000000001'], '--per-hour must be an integer'],
    [['--workspace', 'Grand', '--group', 'flows=5'], '--group must be one of general, events, send'],
    [['--workspace', 'Grand', '--group', 'events'], '--group must be an integer'],
    [['--workspace', 'Acme', '--per-minute', '5'], 'only enterprise has custom rates'],
    [['--per-minute', '5'], '--workspace is missing'],
  ])('%p is refused', async (argv, text) =>
    expect(await faultOf('workspace:limits', ...argv)).toContain(text),
  );
});

describe('a first workspace', () => {
  interface Created {
    readonly id: string;
    readonly created: boolean;
    readonly owner: { readonly id: string };
    readonly api_key?: { readonly id: string; readonly key?: string };
  }
  const create = (...argv: string[]) => runCommand(['workspace:create', ...argv], world) as Promise<Created>;
  const ORDER = [
    '--name',
    'First',
    '--owner',
    'Ada@first.test',
    '--plan',
    'growth',
    '--timezone',
    'Europe/Vienna',
  ];

  test('is made once, with its owner and a key that is shown once', async () => {
    const made = await create(...ORDER, '--owner-name', 'Ada', '--api-key', 'server');
    expect(made).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      name: 'First',
      plan: 'growth',
      timezone: 'Europe/Vienna',
      created: true,
      owner: { id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string, email: 'Ada@first.test' },
      api_key: {
        id: expect.any(String) as string,
        name: 'server',
        key: expect.stringMatching(/^psk_live_[0-9a-f]{32}$/) as string,
      },
    });
    const again = await create('--name', 'First', '--owner', 'ada@First.test', '--api-key', 'server');
    expect(again).toMatchObject({ id: made.id, created: false, owner: { id: made.owner.id } });
    expect(again.api_key).toEqual({ id: made.api_key?.id, name: 'server' });
    const client = new pg.Client({ connectionString: database.adminUrl });
    await client.connect();
    const { rows } = await client.query(
      `SELECT w.account_email_verified, w.live_at, m.role, m.is_active, m.name FROM workspaces w
       JOIN members m ON m.workspace_id = w.id WHERE w.id = $1`,
      [made.id],
    );
    await client.end();
    expect(rows).toEqual([
      { account_email_verified: true, live_at: null, role: 'owner', is_active: true, name: 'Ada' },
    ]);
  });

  test('needs no more than a name and an owner', async () => {
    expect(await create('--name', 'Bare', '--owner', 'b@bare.test')).toMatchObject({
      plan: 'free',
      timezone: 'UTC',
      created: true,
    });
  });

  test.each([
    [['--owner', 'a@b.test'], '--name is missing'],
    [['--name', ' ', '--owner', 'a@b.test'], '--name must have'],
    [['--name', 'x'.repeat(256), '--owner', 'a@b.test'], '--name must have'],
    [['--name', 'New'], '--owner must be an email address'],
    [['--name', 'New', '--owner', 'ada'], '--owner must be an email address'],
    [['--name', 'New', '--owner', 'a@b.test', '--plan', 'gold'], '--plan must be one of free'],
    [['--name', 'New', '--owner', 'a@b.test', '--timezone', 'Vienna'], '--timezone must be'],
    [['--name', 'First', '--owner', 'eve@first.test'], 'with another owner'],
    [['--name', 'First', '--owner', 'ada@first.test', '--plan', 'free'], 'on the plan growth'],
    [['--name', 'First', '--owner', 'ada@first.test', '--timezone', 'UTC'], 'in the time zone Europe/Vienna'],
  ])('%p is refused', async (argv, text) =>
    expect(await faultOf('workspace:create', ...argv)).toContain(text),
  );
});

describe('the sending provider', () => {
  let sink: MailSink;
  let dns: DnsServer;
  let login: SMTPServer;
  const closers: (() => unknown)[] = [];
  beforeAll(async () => {
    sink = await MailSink.start();
    dns = await DnsServer.start();
    dns.set('MX', 'mail.localhost', 'in.example');
    login = new SMTPServer({
      secure: false,
      ...SELF_SIGNED,
      onAuth: ({ username, password }, _session, done) =>
        username === 'user' && password === 'right'
          ? done(null, { user: username })
          : done(Object.assign(new Error(`no ${password}`), { responseCode: 535 })),
    });
    login.on('error', () => undefined);
    await new Promise<void>((resolve) => login.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    for (const close of closers) close();
    await new Promise<void>((resolve) => login.close(resolve));
    await sink.stop();
    await dns.stop();
  });
  const loginPort = (): number => (login.server.address() as AddressInfo).port;

  async function check(env: Record<string, string>, ...argv: string[]) {
    const config = loadConfig({ DATA_DIR: folder, DNS_SERVERS: dns.address, ...env });
    const answer = await runCommand(['provider:check', '--json', ...argv], { ...world, config });
    const isFailed = answer instanceof FailedAnswer;
    const { checks } = (isFailed ? answer.answer : answer) as {
      checks: { of: string; check: string; state: string; detail: string }[];
    };
    return { isFailed, checks, text: JSON.stringify(checks) };
  }
  const statesOf = (checks: readonly { of: string; check: string; state: string }[], name: string) =>
    checks.flatMap(({ of, check: what, state }) => (of === name ? [`${what} ${state}`] : []));

  async function api(status: number): Promise<string> {
    const server = createServer((request, response) => {
      request.resume();
      response.writeHead(request.headers.authorization === 'Bearer right' ? status : 401).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closers.push(() => server.close());
    return `127.0.0.1:${(server.address() as AddressInfo).port}/send`;
  }

  test('that works is told so, line by line, and takes a test message', async () => {
    const { isFailed, checks } = await check({ SMTP_URL: sink.url }, '--to', 'ops@x.test');
    expect(isFailed).toBe(false);
    expect(statesOf(checks, 'dns')).toEqual(['mx ok', 'spf warning', 'dkim warning']);
    expect(statesOf(checks, 'smtp')).toEqual(['host ok', 'tls ok', 'credentials ok', 'message ok']);
    expect(sink.to('ops@x.test')).toHaveLength(1);
    const config = loadConfig({ DATA_DIR: folder, DNS_SERVERS: dns.address, SMTP_URL: sink.url });
    const lines = await runCommand(['provider:check'], { ...world, config });
    if (!(lines instanceof PlainText)) throw new Error('The answer is no text.');
    expect(lines.text).toMatch(/^ok +dns +mx +MX mail\.localhost: ok\n/);
  });

  test('that refuses the credentials, or cannot be reached, fails without a secret', async () => {
    const provider = async (password: string) =>
      check({ SMTP_URL: `smtp://user:${password}@127.0.0.1:${loginPort()}` }, '--to', 'ops@x.test');
    const right = await check({ SMTP_URL: `smtp://user:right@127.0.0.1:${loginPort()}` });
    expect([right.isFailed, statesOf(right.checks, 'smtp')]).toEqual([
      false,
      ['host ok', 'tls ok', 'credentials ok'],
    ]);
    const wrong = await provider('s3cret-wrong');
    expect([wrong.isFailed, statesOf(wrong.checks, 'smtp')]).toEqual([
      true,
      ['host ok', 'tls ok', 'credentials failed'],
    ]);
    expect(wrong.text).toContain('535');
    expect(wrong.text).not.toContain('s3cret');
    const nobody = await check({ SMTP_URL: 'smtp://user:s3cret@127.0.0.1:1' });
    expect([nobody.isFailed, statesOf(nobody.checks, 'smtp')]).toEqual([true, ['host ok', 'tls failed']]);
    expect(nobody.text).not.toContain('s3cret');
  });

  test.each([
    [422, 'right', 'credentials ok'],
    [200, 'right', 'credentials ok'],
    [422, 'wrong', 'credentials failed'],
    [404, 'right', 'credentials failed'],
    [302, 'right', 'credentials failed'],
    [503, 'right', 'credentials failed'],
  ])('an API that answers %i to the key %s: %s', async (status, key, last) => {
    const { checks, text } = await check({ MAIL_PROVIDERS: `api=http://${key}@${await api(status)}` });
    expect(statesOf(checks, 'api').at(-1)).toBe(last);
    expect(text).not.toContain('Bearer');
  });

  test('of a workspace is the one that it has chosen, with its own domain', async () => {
    const { checks, isFailed } = await check({ SMTP_URL: sink.url }, '--workspace', 'Acme');
    expect(isFailed).toBe(false);
    expect(statesOf(checks, 'dns')).toEqual(['domain warning', 'mx ok', 'spf warning', 'dkim warning']);
  });

  test('that nobody has configured is the operator’s fault', async () => {
    expect(await faultOf('provider:check')).toContain('SMTP_URL and MAIL_PROVIDERS are missing');
    const config = loadConfig({ DATA_DIR: folder, SMTP_URL: sink.url });
    await expect(runCommand(['provider:check', '--to', 'ops'], { ...world, config })).rejects.toThrow(
      '--to must be an email address',
    );
  });
});

describe('the customer that a workspace pays as', () => {
  const link = (...argv: string[]): Promise<unknown> =>
    runCommand(['workspace:link-customer', ...argv], world);

  test('is linked, changed, taken away, and noted', async () => {
    const customer = async (...argv: string[]) =>
      ((await link('--workspace', 'Later', ...argv)) as Record<string, unknown>)['payment_customer_id'];
    expect(await customer('--customer', 'cus_2')).toBe('cus_2');
    expect(await customer('--customer', 'cus_2')).toBe('cus_2');
    expect(await customer('--customer', 'cus_3')).toBe('cus_3');
    expect(await customer('--none')).toBeNull();
    const client = new pg.Client({ connectionString: database.adminUrl });
    await client.connect();
    const { rows } = await client.query(
      `SELECT actor, action, after->>'paymentCustomerId' AS customer FROM audit_log
       WHERE action = 'billing_changed' ORDER BY id`,
    );
    await client.end();
    const auditEntry = { actor: 'operator', action: 'billing_changed' };
    expect(rows).toEqual(['cus_2', 'cus_3', null].map((each) => ({ ...auditEntry, customer: each })));
  });

  test.each([
    [['--workspace', 'Later', '--customer', 'cus_1'], 'conflict: The customer '],
    [['--workspace', 'Later'], 'Specify --customer, or --none'],
    [['--workspace', 'Later', '--customer', 'cus_4', '--none'], 'Specify --customer, or --none'],
    [['--workspace', 'Later', '--customer', ''], '--customer must have'],
    [['--workspace', 'Later', '--customer', ' cus_4'], '--customer must have'],
    [['--workspace', 'Later', '--customer', 'x'.repeat(256)], '--customer must have'],
    [['--workspace', 'Nowhere', '--customer', 'cus_4'], 'There is no workspace Nowhere'],
    [['--customer', 'cus_4'], '--workspace is missing'],
  ])('%p is refused', async (argv, text) =>
    expect(await faultOf('workspace:link-customer', ...argv)).toContain(text),
  );
});

test('migrate applies nothing to a database that is up to date', async () => {
  expect(await runCommand(['migrate'], world)).toEqual({ applied: [] });
});

test('an unknown command names the known ones; help lists them', async () => {
  expect(await faultOf('toString')).toContain('Unknown command toString. Commands: token');
  expect(await runCommand([], world)).toEqual({ commands: expect.arrayContaining(['migrate']) as string[] });
});

test('contact:erase takes a person out of a workspace by its name, once', async () => {
  const argv = ['contact:erase', '--workspace', 'Acme', '--contact', 'u2'];
  const erased = (await runCommand(argv, world)) as Record<string, unknown>;
  expect(erased).toMatchObject({ environment: 'live', events: 0, emails: 0, segments: 0 });
  expect(erased['external_id']).toBe(`erased-${String(erased['id'])}`);
  expect(await faultOf(...argv)).toMatch(/^contact_not_found: /);
});
