/** Hands a handler the person that the guard has established, on a route that asks for no membership. */
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Identity } from '../../kernel/principal.js';
import { callOf } from './http-call.js';

/**
 * The person. Give the parameter the type Identity.
 * @throws Error on a route that is not marked by `RequiresIdentity`.
 */
export const CurrentIdentity = createParamDecorator((_data: unknown, context: ExecutionContext): Identity => {
  const { identity } = callOf(context).request;
  if (!identity) throw new Error('This route does not ask for an identity.');
  return identity;
});
