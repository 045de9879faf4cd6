/**
 * Waypost as it runs in production: its built processes on a database of the run's server. The workspace is on the
 * plan without caps but has its own rates, so that every request is counted for its key, minute and hour, and for
 * its workspace. A second workspace has a key without limits.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchPostgres } from './postgres.js';

const STARTS_WITHIN_MS = 60_000;
const OWNER = 'owner@example.test';
const WORKSPACE = {
  name: 'Bench',
  plan: 'enterprise',
  account_email_verified: true,
  live: true,
  company: {
    name: 'Bench Inc',
    address_line1: '1 Main St',
    city: 'Springfield',
    postal_code: '62701',
    country: 'US',
  },
  sender: { from_email: 'bench@example.test', from_name: 'Bench' },
  members: [{ email: OWNER, role: 'owner' }],
  api_keys: [{ name: 'bench', scope: 'full', environment: 'live' }],
};
const UNLIMITED = { ...WORKSPACE, name: 'Unlimited' };
const NEVER_REACHED = '1000000000';
const GROUPS = ['general', 'events', 'send'];

interface Seeded {
  readonly id: string;
  readonly api_keys: [{ readonly key: string }];
}

function credentialsOf({ id, api_keys: [{ key }] }: Seeded): Record<string, string> {
  return { 'X-WORKSPACE-ID': id, 'X-API-KEY': key };
}

export interface FlowIdentity {
  readonly id: string;
  readonly version: number;
}

/** As in the start scripts of package.json: space for the short-lived objects of many concurrent requests. */
const NODE_FLAGS = ['--max-semi-space-size=64'];

/** One process of the service. */
export class Service {
  private log = '';
  private readonly gone: Promise<void>;
  private ended = false;

  constructor(
    readonly port: number,
    private readonly child: ChildProcess,
  ) {
    child.stderr
      ?.setEncoding('utf8')
      .on('data', (text: string) => (this.log = (this.log + text).slice(-8_192)));
    this.gone = new Promise((resolve) =>
      child.once('exit', () => {
        this.ended = true;
        resolve();
      }),
    );
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** @throws Error with the process's last output when it ends or does not become ready. */
  async until(what: string, holds: () => Promise<boolean> | boolean): Promise<this> {
    const timeoutAt = performance.now() + STARTS_WITHIN_MS;
    while (!(await holds())) {
      if (this.ended || performance.now() > timeoutAt)
        throw new Error(`Waited in vain until ${what}:\n${this.log}`);
      await sleep(25);
    }
    return this;
  }

  said(words: string): boolean {
    return this.log.includes(words);
  }

  async stop(): Promise<void> {
    if (!this.ended) this.child.kill('SIGTERM');
    await this.gone;
  }
}

export class Product {
  private readonly dataDir = mkdtempSync(join(tmpdir(), 'waypost-bench-data-'));
  private readonly running = new Set<Service>();
  /** Request headers of an application. */
  credentials: Record<string, string> = {};
  /** Request headers with a key that has no limits. */
  unlimited: Record<string, string> = {};
  /** Request headers of the owner, as the dashboard sends them. */
  owner: Record<string, string> = {};

  private constructor(
    readonly database: string,
    private readonly databaseUrl: string,
    private readonly profileDir: string | undefined,
  ) {}

  /**
   * Creates a database, migrates it to the current schema and seeds the workspace.
   * @param profileDir folder for processor profiles of every process that is started; none by default.
   */
  static async open(postgres: BenchPostgres, database: string, profileDir?: string): Promise<Product> {
    const product = new Product(database, await postgres.create(database), profileDir);
    await product.cli('migrate');
    const seeded = (await product.cli('seed', '-')) as {
      workspaces: [Seeded, Seeded];
    };
    const [bench, unlimited] = seeded.workspaces;
    product.credentials = credentialsOf(bench);
    product.unlimited = credentialsOf(unlimited);
    const issued = (await product.cli('token', '--email', OWNER)) as { token: string };
    product.owner = { Authorization: `Bearer ${issued.token}`, 'X-WORKSPACE-ID': bench.id };
    const groups = GROUPS.flatMap((group) => ['--group', `${group}=${NEVER_REACHED}`]);
    const caller = ['--per-minute', NEVER_REACHED, '--per-hour', NEVER_REACHED];
    await product.cli('workspace:limits', '--workspace', bench.id, ...caller, ...groups);
    return product;
  }

  get workspaceId(): string {
    return this.credentials['X-WORKSPACE-ID'] ?? '';
  }

  /** Starts the API alone. */
  async startApi(env: Record<string, string> = {}): Promise<Service> {
    return this.ready(await this.start('api', [], env));
  }

  /** Starts a worker on these queues. */
  async startWorker(queues: string, env: Record<string, string> = {}): Promise<Service> {
    const service = await this.start('worker', [`--queues=${queues}`], env);
    return service.until('the worker is ready', () => service.said('The worker is ready'));
  }

  /** Starts the API and all workers in one process. */
  async startAll(smtpUrl: string): Promise<Service> {
    return this.ready(await this.start('up', [], { SMTP_URL: smtpUrl }));
  }

  /** @throws Error when the status of the answer is not 2xx. */
  async call<Answer>(
    service: Service,
    path: string,
    body: object = {},
    as: Record<string, string> = this.credentials,
  ): Promise<Answer> {
    const answer = await fetch(`http://127.0.0.1:${service.port}${path}`, {
      method: 'POST',
      headers: { ...as, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`POST ${path}: ${answer.status} ${text}`);
    return JSON.parse(text) as Answer;
  }

  /** Creates a flow and activates it. */
  async activeFlow(service: Service, trigger: string, steps: readonly object[]): Promise<FlowIdentity> {
    const flow = { name: trigger, trigger_event: trigger, content_type: 'transactional', steps };
    const { id } = await this.call<FlowIdentity>(service, '/v1/flows', flow);
    return this.call<FlowIdentity>(service, `/v1/flows/${id}/activate`);
  }

  async close(): Promise<void> {
    await Promise.all([...this.running].map((service) => service.stop()));
    rmSync(this.dataDir, { recursive: true, force: true });
  }

  private async start(name: string, args: readonly string[], env: Record<string, string>): Promise<Service> {
    const port = await freePort();
    const child = this.spawn(name, args, { PORT: String(port), ...env }, 'ignore');
    const service = new Service(port, child);
    this.running.add(service);
    child.once('exit', () => this.running.delete(service));
    return service;
  }

  private spawn(
    name: string,
    args: readonly string[],
    env: Record<string, string>,
    stdout: 'ignore' | 'pipe',
  ): ChildProcess {
    const profiling =
      this.profileDir === undefined || name === 'cli'
        ? []
        : [
            '--cpu-prof',
            `--cpu-prof-dir=${this.profileDir}`,
            `--cpu-prof-name=${name}-${Date.now()}.cpuprofile`,
          ];
    const entry = join(process.cwd(), 'dist', 'processes', `${name}.main.js`);
    return spawn(process.execPath, [...NODE_FLAGS, ...profiling, entry, ...args], {
      env: {
        PATH: process.env['PATH'] ?? '',
        DATABASE_URL: this.databaseUrl,
        DATA_DIR: this.dataDir,
        ...env,
      },
      stdio: ['pipe', stdout, 'pipe'],
    });
  }

  private ready(service: Service): Promise<Service> {
    return service.until('the service is ready', () =>
      fetch(`http://127.0.0.1:${service.port}/health/ready`).then(
        ({ status }) => status === 200,
        () => false,
      ),
    );
  }

  private async cli(...args: string[]): Promise<unknown> {
    const child = this.spawn('cli', args, {}, 'pipe');
    let output = '';
    let complaint = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (complaint += text));
    child.stdin
      ?.on('error', (error) => (complaint += error.message))
      .end(JSON.stringify({ workspaces: [WORKSPACE, UNLIMITED] }));
    const code = await new Promise((resolve) => child.once('close', resolve));
    if (code !== 0) throw new Error(`cli ${args.join(' ')} ended with ${String(code)}: ${complaint}`);
    return JSON.parse(output);
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
