/**
 * Serves the OpenAPI document at /openapi.json and its page at /docs. This service serves the page's files, so that it
 * works without the internet. Section 8.1: never rate limited.
 */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { type Asset, SCRIPT, serveAssets, STYLE } from '../../../platform/answers/assets.js';
import { RELEASE } from '../../../platform/release.js';
import { renderOpenApi } from './openapi.js';

const DOCS_PATH = '/docs';
const ASSETS_PATH = `${DOCS_PATH}/assets`;

const swaggerUi = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

const START = `'use strict';
SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#docs',
  deepLinking: true,
  presets: [SwaggerUIBundle.presets.apis],
  validatorUrl: null,
});
`;

const ASSETS: Readonly<Record<string, Asset>> = {
  'swagger-ui.css': { type: STYLE, content: { file: join(swaggerUi, 'swagger-ui.css') } },
  'swagger-ui.js': { type: SCRIPT, content: { file: join(swaggerUi, 'swagger-ui-bundle.js') } },
  'docs.js': { type: SCRIPT, content: { text: START } },
};

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Waypost API</title>
    <link rel="stylesheet" href="${ASSETS_PATH}/swagger-ui.css">
    <script defer src="${ASSETS_PATH}/swagger-ui.js"></script>
    <script defer src="${ASSETS_PATH}/docs.js"></script>
  </head>
  <body>
    <p class="release">Waypost ${RELEASE}</p>
    <div id="docs"></div>
    <noscript>This page needs JavaScript; the document itself is at <a href="/openapi.json">/openapi.json</a>.</noscript>
  </body>
</html>
`;

/** Adds the routes. Call before the application is initialised; the document is generated on the first request. */
export function serveDocs(app: NestFastifyApplication): void {
  const instance = app.getHttpAdapter().getInstance();
  let document: string | undefined;
  instance.get(DOCS_PATH, (_request, reply) => reply.type('text/html; charset=utf-8').send(PAGE));
  instance.get('/openapi.json', { config: { isConstant: true } }, (_request, reply) => {
    document ??= renderOpenApi(app);
    return reply.type('application/json; charset=utf-8').send(document);
  });
  serveAssets(instance, ASSETS_PATH, ASSETS);
}
