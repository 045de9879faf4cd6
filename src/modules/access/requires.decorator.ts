/** What a route or resolver asks of its caller, sections 4 and 5. A handler without one of these or `@Public()` is refused. */
import { type CustomDecorator, SetMetadata } from '@nestjs/common';
import type { AccessRule } from './domain/access.js';

export const ACCESS_RULE = Symbol('ACCESS_RULE');

export const IDENTITY_ROUTE = Symbol('IDENTITY_ROUTE');

/**
 * Lets in whomever a token names, member of a workspace or of none ("authentication only" in section 4.1); the handler is
 * given `CurrentIdentity`. For REST alone: a request of GraphQL is one of a workspace.
 */
export const RequiresIdentity = (): CustomDecorator<symbol> => SetMetadata(IDENTITY_ROUTE, true);

/** Refuses callers that the rule does not let in. */
export const Requires = (rule: AccessRule): CustomDecorator<symbol> => SetMetadata(ACCESS_RULE, rule);
