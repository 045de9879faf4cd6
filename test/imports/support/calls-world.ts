/**
 * The product's own platform calls over real HTTP, with a database for downloads. The clock jumps to the end of
 * every wait and records it.
 */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DataSource } from 'typeorm';
import { ImportFiles } from '../../../src/modules/imports/application/import-files.js';
import type { PlatformCalls } from '../../../src/modules/imports/application/platform-calls.js';
import { PlatformCallsFactory } from '../../../src/modules/imports/application/platform-calls-factory.js';
import { ImportFileRepository } from '../../../src/modules/imports/persistence/import-file.repository.js';
import type { TenantScope } from '../../../src/kernel/tenant-scope.js';
import type { MigrationBaseUrls } from '../../../src/platform/config/migrations.js';
import { appOptions, dispatchPool } from '../../../src/platform/database/data-source.js';
import { Database } from '../../../src/platform/database/database.js';
import { makeLogger } from '../../../src/platform/logging/logger.js';
import { GuardedFetch, type OutboundSettings } from '../../../src/platform/outbound/guarded-fetch.js';
import { Metrics } from '../../../src/platform/telemetry/metrics.js';
import { Threads } from '../../../src/platform/threads/threads.js';
import { SCHEMA } from '../../../src/processes/schema.js';
import { THREAD_ENTRY } from '../../../src/processes/thread-entry.js';
import { ManualClock } from '../../support/clock.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';

/** Jumps to the end of every wait. */
export class HastyClock extends ManualClock {
  /** Duration of each wait in milliseconds. */
  readonly waits: number[] = [];
  /** Called before a wait ends. */
  onWait: () => void = () => undefined;

  override async sleepUntil(moment: Date, signal: AbortSignal): Promise<void> {
    const wait = moment.getTime() - this.now().getTime();
    this.waits.push(wait);
    this.onWait();
    if (!signal.aborted) this.wind(wait);
  }
}

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export type Answering = (request: IncomingMessage, response: ServerResponse) => void;

/** A server on loopback; each request gets the next answer, and the last answer repeats. */
export class ScriptedServer {
  readonly asked: Asked[] = [];
  connections = 0;
  private answers: Answering[] = [];

  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {}

  static async start(host = '127.0.0.1', port = 0): Promise<ScriptedServer> {
    const server = createServer();
    await new Promise<void>((resolve, reject) =>
      server.once('error', reject).listen({ port, host, ipv6Only: true }, resolve),
    );
    const scripted = new ScriptedServer(server, (server.address() as AddressInfo).port);
    server.on('connection', () => scripted.connections++);
    server.on('request', (request, response) => scripted.take(request, response));
    return scripted;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Sets the answers to the next requests. */
  answer(...answers: Answering[]): void {
    this.answers = answers;
    this.asked.length = 0;
    this.connections = 0;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private take(request: IncomingMessage, response: ServerResponse): void {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      this.asked.push({ method, path: url, headers, body: Buffer.concat(chunks).toString() });
      const answer = this.answers.length > 1 ? this.answers.shift() : this.answers[0];
      (answer ?? (() => response.writeHead(404).end()))(request, response);
    });
  }
}

export class CallsWorld {
  readonly scope: TenantScope = { workspaceId: randomUUID(), environment: 'live' };
  readonly clock = new HastyClock();
  readonly files: ImportFiles;
  private readonly fetches: GuardedFetch[] = [];

  private constructor(
    private readonly stored: TestDatabase,
    private readonly source: DataSource,
    readonly database: Database,
    private readonly threads: Threads,
  ) {
    this.files = new ImportFiles(database, new ImportFileRepository(database), this.clock, threads, {
      migrationStorageBytes: 1e12,
    });
  }

  static async start(): Promise<CallsWorld> {
    const logger = makeLogger('platform calls', 'silent');
    const stored = await createTestDatabase();
    const source = await new DataSource(appOptions(stored.adminUrl, SCHEMA, 4)).initialize();
    const database = new Database(source, dispatchPool(stored.adminUrl), logger);
    return new CallsWorld(stored, source, database, new Threads(THREAD_ENTRY, new Metrics(), logger));
  }

  factory(migrationBaseUrls: MigrationBaseUrls, settings: OutboundSettings = {}): PlatformCallsFactory {
    const outbound = new GuardedFetch({
      lookUp: async (host) => {
        throw new Error(`Nobody knows ${host}.`);
      },
      ...settings,
    });
    this.fetches.push(outbound);
    return new PlatformCallsFactory(outbound, this.files, this.clock, { migrationBaseUrls });
  }

  /** Calls of a new Klaviyo job, directed at a server. */
  calls(server: ScriptedServer, signal = new AbortController().signal): PlatformCalls {
    return this.factory({ klaviyo: server.url }).of(this.scope, aJob(), signal);
  }

  /** Closes the connections of all calls. */
  close(): void {
    for (const each of this.fetches.splice(0)) each.close();
  }

  async stop(): Promise<void> {
    this.close();
    await this.threads.close();
    await this.database.onApplicationShutdown();
    await this.source.destroy();
    await this.stored.drop();
  }
}

export const aJob = () => ({ id: randomUUID(), platform: 'klaviyo', createdBy: 'user_1' }) as const;
