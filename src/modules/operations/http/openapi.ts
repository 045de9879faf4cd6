/**
 * Generates the OpenAPI document of the REST API from the code. The credentials of a route come from its guard's rule,
 * so that document and guard cannot disagree.
 */
import type { INestApplication, Type } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import type { AccessRule } from '../../access/domain/access.js';
import '../../../platform/input/api-documents.js';
import { PUBLIC_ROUTE } from '../../access/public.decorator.js';
import { ACCESS_RULE } from '../../access/requires.decorator.js';
import {
  completeExamples,
  completeOperations,
  ERROR_SCHEMA,
  type Credentials,
} from './openapi-operations.js';

/** Version of the API, section 9. */
const API_VERSION = '1.4.0';

const DESCRIPTION = `Customer communications: events come in, flows run, emails go out.

There are two kinds of credentials. Servers send an API key and its workspace (\`X-API-KEY\` and \`X-WORKSPACE-ID\`);
users send a token from the identity provider (\`Authorization: Bearer …\`), with \`X-WORKSPACE-ID\` if they belong to
several workspaces, and \`X-ENVIRONMENT: test\` for the test environment.

Errors have a stable \`code\` (scope, role and plane errors have it as \`reason\`), a \`detail\` text that may change, and
the \`request_id\` that also appears in the logs. Every rate-limited response has the headers
\`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\`.`;

/** Builds the document from the application's controllers. */
export function buildOpenApi(app: INestApplication): OpenAPIObject {
  const config = new DocumentBuilder()
    .setTitle('Waypost')
    .setDescription(DESCRIPTION)
    .setVersion(API_VERSION)
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addServer('/', 'This service')
    .addBearerAuth(
      { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'Token of a signed-in user.' },
      'bearer',
    )
    .addApiKey(
      { type: 'apiKey', in: 'header', name: 'X-API-KEY', description: 'API key of a server.' },
      'apiKey',
    )
    .addApiKey(
      {
        type: 'apiKey',
        in: 'header',
        name: 'X-WORKSPACE-ID',
        description: 'ID of the workspace that the key belongs to.',
      },
      'workspace',
    )
    .build();
  const document = SwaggerModule.createDocument(app, config, { operationIdFactory: operationId });
  document.components = {
    ...document.components,
    schemas: { ...document.components?.schemas, Error: ERROR_SCHEMA },
  };
  completeOperations(document, credentialsByOperation(app));
  completeExamples(document);
  return document;
}

/** The text of openapi.json. */
export function renderOpenApi(app: INestApplication): string {
  return `${JSON.stringify(buildOpenApi(app), undefined, 2)}\n`;
}

function operationId(controller: string, method: string): string {
  const subject = controller.replace(/Controller$/, '');
  return `${subject.charAt(0).toLowerCase()}${subject.slice(1)}_${method}`;
}

function credentialsByOperation(app: INestApplication): ReadonlyMap<string, Credentials> {
  const found = new Map<string, Credentials>();
  for (const { controllers } of app.get(ModulesContainer).values()) {
    for (const { metatype } of controllers.values()) {
      if (typeof metatype !== 'function') continue;
      const controller = metatype as Type;
      for (const [method, handler] of handlersOf(controller))
        found.set(operationId(controller.name, method), credentialsOf(handler, controller));
    }
  }
  return found;
}

function handlersOf(controller: Type): readonly (readonly [string, object])[] {
  const methods = Object.getOwnPropertyDescriptors(controller.prototype as object);
  return Object.entries(methods).flatMap(([name, { value }]: [string, PropertyDescriptor]) =>
    typeof value === 'function' ? [[name, value as object] as const] : [],
  );
}

function credentialsOf(handler: object, controller: object): Credentials {
  const read = (key: symbol): unknown =>
    Reflect.getMetadata(key, handler) ?? Reflect.getMetadata(key, controller);
  if (read(PUBLIC_ROUTE) === true) return 'none';
  const rule = read(ACCESS_RULE) as AccessRule | undefined;
  return rule?.keyScopes ? 'person or key' : 'person';
}
