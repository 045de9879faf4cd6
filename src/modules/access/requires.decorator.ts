/** What a route or resolver asks of its caller, sections 4 and 5. A handler without this or `@Public()` is refused. */
import { type CustomDecorator, SetMetadata } from '@nestjs/common';
import type { AccessRule } from './domain/access.js';

export const ACCESS_RULE = Symbol('ACCESS_RULE');

/** Refuses callers that the rule does not let in. */
export const Requires = (rule: AccessRule): CustomDecorator<symbol> => SetMetadata(ACCESS_RULE, rule);
