/**
 * Headers, metrics by route pattern, and one log line for every request. Uses Fastify hooks, because interceptors would
 * cost more per request.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { DomainError } from '../../kernel/domain-error.js';
import type { Metrics } from '../telemetry/metrics.js';
import type { ReadinessState } from '../telemetry/readiness-state.js';
import { REQUEST_ID_HEADER } from './request-id.js';
import type { SecurityHeaders } from './security-headers.js';

export interface RequestHooks {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly readiness: ReadinessState;
  readonly security: SecurityHeaders;
}

/** The route label for paths without a route, so that clients cannot create new time series. */
const UNMATCHED = 'unmatched';

/** Adds the hooks. Call before the routes are registered. */
export function addRequestHooks(
  instance: FastifyInstance,
  { logger, metrics, readiness, security }: RequestHooks,
): void {
  instance.addHook('onRequest', (request, reply, done) => {
    reply.headers(security.strict);
    reply.header(REQUEST_ID_HEADER, request.id);
    if (readiness.isDraining) reply.header('connection', 'close');
    // PostgreSQL text cannot contain NUL, so no resource has such a name.
    if (request.url.includes('%00'))
      done(new DomainError('validation_error', 'The URL contains a NUL character.'));
    else done();
  });
  instance.addHook('onResponse', (request, reply, done) => {
    observe(request, reply, logger, metrics);
    done();
  });
}

type Duration = ReturnType<Metrics['requests']['labels']>;
const durations = new WeakMap<Metrics, Map<string, Duration>>();

/** The histogram of one method, route and status. Looking it up by labels would cost more than observing a value. */
function durationOf(metrics: Metrics, method: string, route: string, status: number): Duration {
  let known = durations.get(metrics);
  if (!known) durations.set(metrics, (known = new Map<string, Duration>()));
  const key = `${method} ${status} ${route}`;
  let duration = known.get(key);
  if (!duration) known.set(key, (duration = metrics.requests.labels({ method, route, status })));
  return duration;
}

function observe(request: FastifyRequest, reply: FastifyReply, logger: Logger, metrics: Metrics): void {
  const { method } = request;
  const status = reply.statusCode;
  const route = request.routeOptions.url ?? UNMATCHED;
  durationOf(metrics, method, route, status).observe(reply.elapsedTime / 1000);
  const level = status < 400 ? 'debug' : status < 500 ? 'info' : status === 500 ? 'error' : 'warn';
  if (!logger.isLevelEnabled(level)) return;
  const workspaceId = (request as { principal?: { workspaceId?: string } }).principal?.workspaceId;
  logger[level](
    {
      request_id: request.id,
      method,
      route,
      status,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      ...(workspaceId === undefined ? {} : { workspace_id: workspaceId }),
    },
    'request',
  );
}
