/** Marks the routes that section 4 calls public, and the ones of the operations page: no credentials are read. */
import { applyDecorators, type CustomDecorator, SetMetadata } from '@nestjs/common';

export const PUBLIC_ROUTE = Symbol('PUBLIC_ROUTE');

/** Lets everyone call, without credentials. */
export const Public = (): CustomDecorator<symbol> => SetMetadata(PUBLIC_ROUTE, true);

export const SIGNED_BODY = Symbol('SIGNED_BODY');

/**
 * As `Public`, where the credential is a signature over the body as it came: the handler checks it, and reads the body
 * (`readBody`) behind that alone.
 */
export const SignedBody = (): MethodDecorator => applyDecorators(Public(), SetMetadata(SIGNED_BODY, true));
