/** Marks the routes that section 4 calls public, and the ones of the operations page: no credentials are read. */
import { type CustomDecorator, SetMetadata } from '@nestjs/common';

export const PUBLIC_ROUTE = Symbol('PUBLIC_ROUTE');

/** Lets everyone call, without credentials. */
export const Public = (): CustomDecorator<symbol> => SetMetadata(PUBLIC_ROUTE, true);
