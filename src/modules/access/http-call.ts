/** The HTTP request and reply beneath a REST handler or a GraphQL resolver, so that guards treat both alike. */
import type { ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Identity, Principal } from '../../kernel/principal.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is asking; set by the guard. */
    principal?: Principal;
    /** Whom the token names, on a route that asks for no more; set by the guard. */
    identity?: Identity;
  }
}

export interface HttpCall {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** What the GraphQL module puts into its context. */
interface GraphqlContext {
  readonly req: FastifyRequest;
  readonly res: FastifyReply;
}

/** The call that a handler or resolver answers. */
export function callOf(context: ExecutionContext): HttpCall {
  if (context.getType<'http' | 'graphql'>() === 'graphql') {
    // Arguments of a resolver: parent, arguments, context, info.
    const { req, res } = context.getArgByIndex<GraphqlContext>(2);
    return { request: req, reply: res };
  }
  const http = context.switchToHttp();
  return { request: http.getRequest<FastifyRequest>(), reply: http.getResponse<FastifyReply>() };
}
