/** Marks the routes that section 4 calls public, and those of the operations page: no credentials are read. */
import { applyDecorators, type CustomDecorator, SetMetadata } from '@nestjs/common';

export const PUBLIC_ROUTE = Symbol('PUBLIC_ROUTE');

/** Admits every caller without credentials. */
export const Public = (): CustomDecorator<symbol> => SetMetadata(PUBLIC_ROUTE, true);

export const SIGNED_BODY = Symbol('SIGNED_BODY');

/**
 * As `Public`, for a signature over the raw body: the handler verifies it, and only then parses the body (`readBody`).
 */
export const SignedBody = (): MethodDecorator => applyDecorators(Public(), SetMetadata(SIGNED_BODY, true));
