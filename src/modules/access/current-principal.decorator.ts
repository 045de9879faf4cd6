/** Hands a handler or resolver the caller that the guard has established. */
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Principal } from '../../kernel/principal.js';
import { callOf } from './http-call.js';

/**
 * The caller of a request, for the handlers that are too hot for a decorated parameter.
 * @throws Error on a public route, which has none.
 */
export function principalOf({ principal }: FastifyRequest): Principal {
  if (!principal) throw new Error('A public route has no principal.');
  return principal;
}

/**
 * The caller. Give the parameter the type Principal.
 * @throws Error on a public route, which has none.
 */
export const CurrentPrincipal = createParamDecorator((_data: unknown, context: ExecutionContext): Principal =>
  principalOf(callOf(context).request),
);
