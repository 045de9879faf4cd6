/** Injects the authenticated person into a handler, on a route that requires no membership. */
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Identity } from '../../kernel/principal.js';
import { callOf } from './http-call.js';

/**
 * The person. Declare the parameter with type Identity.
 * @throws Error on a route without `RequiresIdentity`.
 */
export const CurrentIdentity = createParamDecorator((_data: unknown, context: ExecutionContext): Identity => {
  const { identity } = callOf(context).request;
  if (!identity) throw new Error('This route does not ask for an identity.');
  return identity;
});
