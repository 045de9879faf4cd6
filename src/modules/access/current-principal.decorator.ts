/** Injects the authenticated caller into a handler or resolver. */
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Principal } from '../../kernel/principal.js';
import { callOf } from './http-call.js';

/**
 * The caller of a request, for hot handlers that avoid the cost of a decorated parameter.
 * @throws Error on a public route, which has none.
 */
export function principalOf({ principal }: FastifyRequest): Principal {
  if (!principal) throw new Error('A public route has no principal.');
  return principal;
}

/**
 * The caller. Declare the parameter with type Principal.
 * @throws Error on a public route, which has none.
 */
export const CurrentPrincipal = createParamDecorator((_data: unknown, context: ExecutionContext): Principal =>
  principalOf(callOf(context).request),
);
