/** schema.gql and openapi.json match the code; `npm run generate` regenerates them. */
import 'reflect-metadata';
import { readFile } from 'node:fs/promises';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { pino } from 'pino';
import { renderOpenApi } from '../../src/modules/operations/http/openapi.js';
import { loadConfig, type RuntimeConfig } from '../../src/platform/config/config.js';
import { renderSchema } from '../../src/platform/graphql/graphql.module.js';
import { ApiModule } from '../../src/processes/api.module.js';
import { SCHEMA } from '../../src/processes/schema.js';
import { createApp } from '../../src/processes/serve.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
// Declares a type that no query of the product returns, as any earlier test of the same process may.
import '../platform/http-app/sample.resolver.js';

let database: TestDatabase;
let app: NestFastifyApplication;

beforeAll(async () => {
  database = await createTestDatabase();
  const config: RuntimeConfig = {
    ...loadConfig({}),
    databaseUrl: database.adminUrl,
    tokenSecrets: ['t'.repeat(32)],
    apiKeySecrets: ['t'.repeat(32)],
    encryptionKeys: ['0'.repeat(64)],
    smtpUrl: undefined,
    sandboxSmtpUrl: undefined,
    isSingleProcess: false,
    roleSuffix: '',
    redisPrefix: '',
  };
  const logger = pino({ level: 'silent' });
  app = await createApp(ApiModule.register({ config, logger, schema: SCHEMA }), logger);
  await app.init();
});

afterAll(async () => {
  await app.close();
  await database.drop();
});

test('schema.gql', async () => {
  expect(await readFile('schema.gql', 'utf8')).toBe(renderSchema(app));
});

test('openapi.json', async () => {
  expect(await readFile('openapi.json', 'utf8')).toBe(renderOpenApi(app));
});

interface Operation {
  readonly summary?: string;
  readonly responses: Record<string, { readonly content?: Record<string, { readonly examples?: object }> }>;
}

test('every operation has a summary, an answer, and errors with examples', async () => {
  const { paths } = JSON.parse(renderOpenApi(app)) as { paths: Record<string, Record<string, Operation>> };
  for (const [path, operations] of Object.entries(paths)) {
    // Pages for people report errors in HTML.
    if (path.startsWith('/v1/public/')) continue;
    for (const [method, { summary, responses }] of Object.entries(operations)) {
      const route = `${method} ${path}`;
      expect({ route, summary }).toEqual({ route, summary: expect.stringMatching(/./) });
      const statuses = Object.keys(responses);
      expect({ route, good: statuses.some((status) => status.startsWith('2')) }).toEqual({
        route,
        good: true,
      });
      for (const status of statuses.filter((name) => Number(name) >= 400)) {
        const examples = responses[status]?.content?.['application/json']?.examples ?? {};
        expect({ route, status, has: Object.keys(examples).length > 0 }).toEqual({
          route,
          status,
          has: true,
        });
      }
    }
  }
});
