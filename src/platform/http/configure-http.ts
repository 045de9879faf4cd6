/**
 * Configures an application according to the specification. The process and the tests share it, so that they behave
 * alike.
 */
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { RouteOptions } from 'fastify';
import type { Logger } from 'pino';
import { jsonText } from '../../kernel/json-text.js';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../config/config.js';
import { limitGraphqlRoute } from '../graphql/graphql-route.js';
import { LOGGER } from '../logging/logger.js';
import { Metrics } from '../telemetry/metrics.js';
import { ClientNetworks } from './client-networks.js';
import { limitConnections, CONNECTION_LIMITS, type ConnectionLimits } from '../network/connection-limits.js';
import { allowOrigins } from './cross-origin.js';
import { ErrorFilter } from './error.filter.js';
import { KnownRoutes } from './known-routes.js';
import { ReadinessState } from '../telemetry/readiness-state.js';
import { addRequestHooks } from './request-hooks.js';
import { securityHeaders } from './security-headers.js';
import { acceptAnyBody } from './unsubscribe-body.js';
import { InputPipe } from './input.pipe.js';
import { UnexpectedInputInterceptor } from './unexpected-input.interceptor.js';

/** Paths that serve HTML pages. */
const PAGES = /^\/(?:docs|graphql)(?:\/|$)/;

/** Adds limits, pipes, interceptors, filters and hooks. Call once, between creation and `init` or `listen`. */
export function configureHttp(
  app: NestFastifyApplication,
  limits: ConnectionLimits = CONNECTION_LIMITS,
): void {
  const instance = app.getHttpAdapter().getInstance();
  const logger = app.get<Logger>(LOGGER);
  instance.setReplySerializer(jsonText);
  const routes = new KnownRoutes();
  const security = securityHeaders();
  const clients = app.get(ClientNetworks);
  limitConnections(instance.server, limits, (address) => clients.isProxy(address));
  instance.addHook('onRoute', (route) => {
    routes.add(route.url, [route.method].flat());
    limitGraphqlRoute(route);
    limitBody(route);
    acceptAnyBody(route);
    if (PAGES.test(route.url)) {
      route.onSend = (_request, reply, payload, done) => {
        if (String(reply.getHeader('content-type')).startsWith('text/html'))
          reply.header('content-security-policy', security.pagePolicy);
        done(null, payload);
      };
    }
  });
  const readiness = app.get(ReadinessState);
  addRequestHooks(instance, { logger, metrics: app.get(Metrics), readiness, security });
  allowOrigins(instance, app.get<RuntimeConfig>(RUNTIME_CONFIG).corsOrigins, routes);
  instance.addHook('onListen', (done) => {
    readiness.markReady();
    done();
  });
  app.useGlobalPipes(new InputPipe());
  app.useGlobalInterceptors(new UnexpectedInputInterceptor());
  app.useGlobalFilters(new ErrorFilter(logger, routes));
}

const KB = 1_024;

/**
 * Maximum bytes of a body by path prefix, so that unauthenticated callers cannot make the service read large bodies.
 * Other routes have the general limit.
 */
const BODY_LIMITS: readonly (readonly [address: string, bytes: number])[] = [
  ['/v1/webhooks/payment', 64 * KB],
  ['/v1/webhooks/billing', 64 * KB],
  ['/v1/webhooks/email', 256 * KB],
  ['/v1/workspace/', 64 * KB],
];

/** Sets the limit of a matching route. For Fastify's onRoute hook. */
function limitBody(route: RouteOptions): void {
  const limit = BODY_LIMITS.find(([address]) => route.url.startsWith(address));
  if (limit) [, route.bodyLimit] = limit;
}
