/** Hands a handler or resolver the caller that the guard has established. */
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Principal } from '../../kernel/principal.js';
import { callOf } from './http-call.js';

/**
 * The caller. Give the parameter the type Principal.
 * @throws Error on a public route, which has none.
 */
export const CurrentPrincipal = createParamDecorator(
  (_data: unknown, context: ExecutionContext): Principal => {
    const { principal } = callOf(context).request;
    if (!principal) throw new Error('A public route has no principal.');
    return principal;
  },
);
