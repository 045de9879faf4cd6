/**
 * Runs the whole service in this process for tests over HTTP and SMTP, with real PostgreSQL, a real queue and a real
 * mail server. Only the clock is under the control of the test, unless it asks for the real one.
 */
import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import pg from 'pg';
import { loadConfig, type RuntimeConfig } from '../../src/platform/config/config.js';
import { ChangeFeed } from '../../src/platform/database/change-feed.js';
import { roleSuffixOf } from '../../src/platform/database/ensure-roles.js';
import { makeLogger } from '../../src/platform/logging/logger.js';
import { QUEUES, type QueueName } from '../../src/platform/queue/wake-ups.js';
import { LocalIssuer } from '../../src/modules/auth/application/local-issuer.js';
import { NetworkRates } from '../../src/modules/limits/application/network-rates.js';
import { ApiModule } from '../../src/processes/api.module.js';
import { seedFile } from '../../src/processes/cli/seed.js';
import { completeConfig } from '../../src/processes/runtime.js';
import { SCHEMA } from '../../src/processes/schema.js';
import { createApp } from '../../src/processes/serve.js';
import { ManualClock } from './clock.js';
import { createTestDatabase, emptyTenantTables, type TestDatabase } from './database.js';
import { MailSink } from './mail-sink.js';
import { LONG_WAIT_MS } from './until.js';

export interface Answer {
  readonly status: number;
  /** Parsed JSON, or the text if it is not JSON. */
  readonly body: any;
  readonly headers: Headers;
}

export interface TestWorkspace {
  readonly id: string;
  /** A key with the full scope for the live environment. */
  readonly key: string;
  /** A key with the full scope for the test environment. */
  readonly testKey: string;
  /** A token of the workspace's owner. */
  readonly ownerToken: string;
  /** Calls with the full live key. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** Sends a GraphQL request as the owner. */
  graphql(query: string, variables?: object): Promise<Answer>;
}

export interface BootOptions {
  /** Queues that this process works on; all by default, none for an empty list. */
  readonly queues?: readonly QueueName[];
  readonly redis?: boolean;
  /** Uses the product's real clock, like other processes next to this one, instead of the test's clock. */
  readonly isRealTime?: boolean;
  readonly env?: Record<string, string>;
  /** A migrated database to use instead of a new one. */
  readonly database?: TestDatabase;
  /** Boots again on what a stopped app (`end`) left behind: its database, clock, mail server and secrets. */
  readonly on?: TestApp;
}

/** What a service runs on. It outlives the service. */
interface ServiceEnvironment {
  readonly dataDir: string;
  readonly database: TestDatabase;
  readonly sink: MailSink;
  readonly clock: ManualClock;
}

export interface TestApp {
  readonly app: NestFastifyApplication;
  readonly environment: ServiceEnvironment;
  readonly clock: ManualClock;
  readonly sink: MailSink;
  readonly config: RuntimeConfig;
  readonly adminUrl: string;
  readonly url: string;
  request(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** Creates a workspace; `overrides` are members of the seed file's workspace. */
  workspace(overrides?: object): Promise<TestWorkspace>;
  token(email: string): Promise<string>;
  /** Resolves when the service has processed all changes committed so far: it caches workspaces, keys and members. */
  untilChangesHandled(): Promise<void>;
  /** Stops the service and keeps its database and servers for another boot. */
  end(): Promise<void>;
  /** Stops the service and removes everything that was created for it. */
  close(): Promise<void>;
}

let serial = 0;

async function createEnvironment(database?: TestDatabase): Promise<ServiceEnvironment> {
  return {
    dataDir: mkdtempSync(join(tmpdir(), 'waypost-test-')),
    database: database ?? (await createTestDatabase()),
    sink: await MailSink.start(),
    clock: new ManualClock(),
  };
}

let shared: Promise<TestApp> | undefined;

/**
 * The service without queue workers that all test files of a worker process share; the first file boots it. Each file
 * starts with a database without tenants, an empty mail server, and a clock at Monday, 2 March, 09:00 UTC. Each file
 * gets a different year, because a clock never goes back. `close` releases the app for the next file. A service that
 * works on queues is not shared, because its background work may outlive the file that caused it.
 */
export async function sharedApp(): Promise<TestApp> {
  const app = await (shared ??= bootApp({ queues: [] }));
  app.clock.beginAnew();
  app.sink.reset();
  // Every file calls from the same address, and refusals are counted by address and in real time.
  app.app.get(NetworkRates, { strict: false })['windows'].clear();
  return {
    ...app,
    end: () => Promise.reject(new Error('A shared app is not ended: boot one with bootApp.')),
    close: () => emptyTenantTables(app.adminUrl),
  };
}

/** Boots the service on a separate database, for tests that need queue workers or special settings, or that stop it. */
export async function bootApp(options: BootOptions = {}): Promise<TestApp> {
  const environment = options.on?.environment ?? (await createEnvironment(options.database));
  const { dataDir, database, sink, clock } = environment;
  const redisUrl = process.env['TEST_REDIS_URL'];
  const config = loadConfig({
    DATA_DIR: dataDir,
    DATABASE_URL: database.adminUrl,
    SMTP_URL: sink.url,
    DATABASE_WAIT_MS: LONG_WAIT_MS,
    LOG_LEVEL: process.env['TEST_LOG_LEVEL'] ?? 'silent',
    ...(options.redis && redisUrl ? { QUEUE_BACKEND: 'redis', REDIS_URL: redisUrl } : {}),
    ...options.env,
  });
  const runtime = completeConfig(config, {
    databaseUrl: database.adminUrl,
    roleSuffix: options.database ? await roleSuffixOf(database.adminUrl) : '',
    smtpUrl: config.smtpUrl,
    sandboxSmtpUrl: sink.url,
  });
  const logger = makeLogger('test', runtime.logLevel);
  const module = ApiModule.register(
    {
      config: runtime,
      logger,
      schema: SCHEMA,
      ...(options.isRealTime ? {} : { clock }),
      poolSize: 8,
    },
    options.queues ?? QUEUES,
  );
  const app = await createApp(module, logger);
  await app.listen(0, '127.0.0.1');
  const url = (await app.getUrl()).replace('[::1]', '127.0.0.1');
  const issuer = await LocalIssuer.open(dataDir);

  const request: TestApp['request'] = async (method, path, body, headers = {}) => {
    const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
    const response = await fetch(url + path, {
      method,
      headers: { ...(text === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(text === undefined ? {} : { body: text }),
      redirect: 'manual',
    });
    const answer = await response.text();
    return { status: response.status, body: parsed(answer), headers: response.headers };
  };
  const token: TestApp['token'] = async (email) => (await issuer.issue({ email }, 12, new Date())).token;

  return {
    app,
    environment,
    clock,
    sink,
    config: runtime,
    adminUrl: database.adminUrl,
    url,
    request,
    token,
    untilChangesHandled: () => untilChangesHandled(app.get(ChangeFeed, { strict: false }), database.adminUrl),
    workspace: async (overrides = {}) => {
      const name = `Workspace ${++serial}`;
      const owner = `owner${serial}@example.com`;
      const seeded = await seedFile(
        { workspaces: [{ ...WORKSPACE, name, members: [{ email: owner, role: 'owner' }], ...overrides }] },
        app,
      );
      const workspace = seeded.workspaces[0];
      const [live, test] = workspace?.api_keys ?? [];
      if (!workspace || !live?.key || !test?.key) throw new Error('The workspace was not seeded.');
      const ownerToken = await token(owner);
      const credentials = { 'x-workspace-id': workspace.id, 'x-api-key': live.key };
      return {
        id: workspace.id,
        key: live.key,
        testKey: test.key,
        ownerToken,
        call: (method, path, body, headers = {}) =>
          request(method, path, body, { ...credentials, ...headers }),
        graphql: (query, variables = {}) =>
          request(
            'POST',
            '/graphql',
            { query, variables },
            {
              authorization: `Bearer ${ownerToken}`,
              'x-workspace-id': workspace.id,
            },
          ),
      };
    },
    end: () => app.close(),
    close: async () => {
      await app.close();
      await sink.stop();
      await database.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Changes are processed in the order of their commits, so a change made now arrives after all earlier ones. */
async function untilChangesHandled(feed: ChangeFeed, adminUrl: string): Promise<void> {
  const mark = randomUUID();
  const handled = new Promise<void>((resolve) =>
    feed.listen((change) => {
      if (change !== 'everything' && change.workspaceId === mark) resolve();
    }),
  );
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  await admin.query(`SELECT pg_notify('waypost_changes', $1)`, [`nothing ${mark}`]);
  await admin.end();
  await handled;
}

const WORKSPACE = {
  plan: 'enterprise',
  account_email_verified: true,
  company: {
    name: 'Acme Inc',
    address_line1: '1 Main St',
    city: 'Springfield',
    postal_code: '62701',
    country: 'US',
  },
  sender: { from_email: 'hello@acme.test', from_name: 'Acme' },
  api_keys: [
    { name: 'live', scope: 'full', environment: 'live' },
    { name: 'test', scope: 'full', environment: 'test' },
  ],
};

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
