/** Starts the API on its port. Tests use the same setup. */
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { DynamicModule } from '@nestjs/common';
import { countAnonymousRequests } from '../modules/limits/http/anonymous-requests.js';
import { serveDocs } from '../modules/operations/http/docs.js';
import { NestLogger } from '../platform/logging/logger.js';
import { addCompression } from '../platform/http/compression.js';
import { configureHttp } from '../platform/http/configure-http.js';
import { createHttpAdapter } from '../platform/http/http-adapter.js';
import type { Logger } from 'pino';

/**
 * Creates the HTTP application without listening.
 * @param module the root module.
 */
export async function createApp(module: DynamicModule, logger: Logger): Promise<NestFastifyApplication> {
  const app = await NestFactory.create<NestFastifyApplication>(module, createHttpAdapter(), {
    logger: new NestLogger(logger),
    abortOnError: false,
    rawBody: true,
  });
  configureHttp(app);
  serveDocs(app);
  countAnonymousRequests(app);
  addCompression(app.getHttpAdapter().getInstance());
  return app;
}
