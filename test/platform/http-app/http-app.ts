/** The real HTTP adapter, hooks, pipes and filters around a few routes, on a real port and a real PostgreSQL. */
import 'reflect-metadata';
import { request, type IncomingHttpHeaders } from 'node:http';
import { type CanActivate, type ExecutionContext, Injectable, Module } from '@nestjs/common';
import { APP_GUARD, NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { pino } from 'pino';
import { OperationsModule } from '../../../src/modules/operations/operations.module.js';
import { serveDocs } from '../../../src/modules/operations/http/docs.js';
import type { RuntimeConfig } from '../../../src/platform/config/config.js';
import { loadConfig } from '../../../src/platform/config/config.js';
import { GraphqlModule } from '../../../src/platform/graphql/graphql.module.js';
import { CONNECTION_LIMITS } from '../../../src/platform/network/connection-limits.js';
import { addCompression } from '../../../src/platform/http/compression.js';
import { configureHttp } from '../../../src/platform/http/configure-http.js';
import { createHttpAdapter } from '../../../src/platform/http/http-adapter.js';
import { readBody } from '../../../src/platform/http/json-body.js';
import { NestLogger } from '../../../src/platform/logging/logger.js';
import { PlatformModule } from '../../../src/platform/platform.module.js';
import { QueueModule } from '../../../src/platform/queue/queue.module.js';
import { SCHEMA } from '../../../src/processes/schema.js';
import { createTestDatabase } from '../../support/database.js';
import { Gate } from './gate.js';
import { openRelay, type Relay } from './relay.js';
import { SampleController } from './sample.controller.js';
import { SampleUploadController } from './sample-upload.controller.js';
import { SampleResolver } from './sample.resolver.js';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: Record<string, unknown>;
}

export interface CallOptions {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer | object;
}

export interface TestHttpApp {
  readonly app: NestFastifyApplication;
  readonly port: number;
  /** A relay between the service and its database. */
  readonly database: Relay;
  /** Parsed log lines, oldest first. */
  readonly log: Record<string, unknown>[];
  call(path: string, options?: CallOptions): Promise<Answer>;
  graphql(query: string, variables?: object): Promise<Answer>;
  close(): Promise<void>;
}

/** A guard that accepts every request, as the service's guard accepts authenticated ones. */
@Injectable()
class OpenDoor implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    if (context.getType() === 'http') readBody(context.switchToHttp().getRequest<FastifyRequest>());
    return true;
  }
}

@Module({
  controllers: [SampleController, SampleUploadController],
  providers: [SampleResolver, Gate, { provide: APP_GUARD, useClass: OpenDoor }],
})
class SampleModule {}

/** Boots the application on a free port. */
export async function startHttpApp({
  production = false,
  introspection = undefined as boolean | undefined,
  bounds = CONNECTION_LIMITS,
} = {}): Promise<TestHttpApp> {
  const database = await createTestDatabase();
  const url = new URL(database.adminUrl);
  const relay = await openRelay(url.hostname, Number(url.port));
  url.port = String(relay.port);
  const config: RuntimeConfig = {
    ...loadConfig({}),
    production,
    introspection: introspection ?? !production,
    databaseUrl: url.toString(),
    tokenSecrets: ['t'.repeat(32)],
    apiKeySecrets: ['t'.repeat(32)],
    encryptionKeys: ['0'.repeat(64)],
    smtpUrl: undefined,
    sandboxSmtpUrl: undefined,
    isSingleProcess: false,
    roleSuffix: '',
    redisPrefix: '',
  };
  const log: Record<string, unknown>[] = [];
  const logger = pino(
    { level: 'debug' },
    { write: (line: string) => void log.push(JSON.parse(line) as Record<string, unknown>) },
  );
  @Module({
    imports: [
      PlatformModule.register({ config, logger, schema: SCHEMA, poolSize: 4 }),
      QueueModule.register(config, []),
      GraphqlModule.register(config),
      OperationsModule,
      SampleModule,
    ],
  })
  class TestModule {}
  const app = await NestFactory.create<NestFastifyApplication>(TestModule, createHttpAdapter(bounds), {
    logger: new NestLogger(logger),
    abortOnError: false,
    rawBody: true,
  });
  configureHttp(app, bounds);
  addCompression(app.getHttpAdapter().getInstance());
  serveDocs(app);
  await app.listen(0, '127.0.0.1');
  const address = app.getHttpServer().address();
  if (typeof address !== 'object' || address === null) throw new Error('The application has no port.');
  const { port } = address;
  const call = (path: string, options: CallOptions = {}): Promise<Answer> => callPort(port, path, options);
  return {
    app,
    port,
    database: relay,
    log,
    call,
    graphql: (query, variables = {}) => call('/graphql', { body: { query, variables } }),
    close: async () => {
      await app.close();
      await relay.close();
      await database.drop();
    },
  };
}

/** Sends one request on a new connection; objects are sent as JSON. */
async function callPort(
  port: number,
  path: string,
  { method, headers = {}, body }: CallOptions,
): Promise<Answer> {
  const raw =
    body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  const type =
    raw === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(raw) };
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        port,
        path,
        method: method ?? (raw === undefined ? 'GET' : 'POST'),
        headers: { ...type, ...headers },
        agent: false,
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          const isJson = String(response.headers['content-type']).startsWith('application/json');
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text,
            body: isJson ? (JSON.parse(text) as Record<string, unknown>) : {},
          });
        });
      },
    );
    sent.on('error', reject);
    sent.end(raw);
  });
}
