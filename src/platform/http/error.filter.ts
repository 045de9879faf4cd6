/** Converts every thrown error to an HTTP response: section 7 of the specification. */
import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { DomainError } from '../../kernel/domain-error.js';
import { answerOf, type ErrorAnswer } from '../answers/error-answer.js';
import type { KnownRoutes } from './known-routes.js';

@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(
    private readonly logger: Logger,
    private readonly routes: KnownRoutes,
  ) {}

  /** Responds over HTTP. Errors of resolvers are passed on to the GraphQL formatter. */
  catch(thrown: unknown, host: ArgumentsHost): unknown {
    if (host.getType<'http' | 'graphql'>() === 'graphql') return thrown;
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    const answer = this.answerTo(thrown, request, reply);
    if (answer.fault) {
      const { method, routeOptions } = request;
      this.logger.error(
        { err: thrown, request_id: request.id, method, route: routeOptions.url },
        'A request failed',
      );
    }
    if (reply.sent || reply.raw.headersSent) {
      // Part of the response is already sent: only closing the connection tells the client that it is incomplete.
      reply.raw.destroy();
      return undefined;
    }
    const { retry_after: retryAfter } = answer.error.fields;
    if (retryAfter !== undefined) reply.header('retry-after', Math.ceil(retryAfter));
    // The handler may have set another content type before it failed.
    reply.code(answer.status).type('application/json; charset=utf-8');
    return reply.send(errorBody(answer, request.id));
  }

  private answerTo(thrown: unknown, request: FastifyRequest, reply: FastifyReply): ErrorAnswer {
    const answer = answerOf(thrown);
    if (!request.is404 || answer.status !== 404) return answer;
    const allowed = this.routes.methodsOf(request.url);
    if (allowed.length === 0 || allowed.includes(request.method)) {
      return { ...answer, error: new DomainError('not_found', 'Nothing found at this path.') };
    }
    reply.header('allow', allowed.join(', '));
    const detail = `This path does not support ${request.method}; use ${allowed.join(', ')}.`;
    return { status: 405, error: new DomainError('method_not_allowed', detail), fault: false };
  }
}

/** The body of an error, with the request id that identifies it in the log. */
export function errorBody(answer: ErrorAnswer, requestId: string): Record<string, unknown> {
  return { ...answer.error.body(), request_id: requestId };
}
