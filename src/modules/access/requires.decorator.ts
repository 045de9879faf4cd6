/**
 * Declares what a route or resolver requires of its caller, sections 4 and 5. A handler without one of these or
 * `@Public()` is rejected.
 */
import { type CustomDecorator, SetMetadata } from '@nestjs/common';
import type { AccessRule } from './domain/access.js';

export const ACCESS_RULE = Symbol('ACCESS_RULE');

export const IDENTITY_ROUTE = Symbol('IDENTITY_ROUTE');

/**
 * Admits every person with a valid token, member of a workspace or not ("authentication only" in section 4.1). The
 * handler gets `CurrentIdentity`. For REST only: a GraphQL request always belongs to a workspace.
 */
export const RequiresIdentity = (): CustomDecorator<symbol> => SetMetadata(IDENTITY_ROUTE, true);

/** Rejects callers that violate the rule. */
export const Requires = (rule: AccessRule): CustomDecorator<symbol> => SetMetadata(ACCESS_RULE, rule);
