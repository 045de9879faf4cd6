/** The HTTP request and reply behind a REST handler or a GraphQL resolver, so that guards treat both alike. */
import type { ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Identity, Principal } from '../../kernel/principal.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller; set by the guard. */
    principal?: Principal;
    /** The person that the token names, on a route that requires only that; set by the guard. */
    identity?: Identity;
  }
}

export interface HttpCall {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** The part of the GraphQL context that is used here. */
interface GraphqlContext {
  readonly req: FastifyRequest;
  readonly res: FastifyReply;
}

/** The HTTP call behind a handler or resolver. */
export function callOf(context: ExecutionContext): HttpCall {
  if (context.getType<'http' | 'graphql'>() === 'graphql') {
    // Arguments of a resolver: parent, arguments, context, info.
    const { req, res } = context.getArgByIndex<GraphqlContext>(2);
    return { request: req, reply: res };
  }
  const http = context.switchToHttp();
  return { request: http.getRequest<FastifyRequest>(), reply: http.getResponse<FastifyReply>() };
}
