/** The input for creating API keys in the dashboard, section 5. */
import { KEY_SCOPES, type KeyScope } from '../../../kernel/principal.js';
import { ENVIRONMENTS, type Environment } from '../../../kernel/tenant-scope.js';
import { graphqlEnum } from '../../../platform/input/enums.js';
import { OneOf, SearchText, Text, Integer } from '../../../platform/input/fields.js';
import { Arguments, Input } from '../../../platform/input/input-class.js';
import { OVERLAP_HOURS } from '../domain/api-key.js';

export const ApiKeyScope = graphqlEnum('ApiKeyScope', KEY_SCOPES, 'The scope of an API key.');
export const ApiKeyEnvironment = graphqlEnum(
  'ApiKeyEnvironment',
  ENVIRONMENTS,
  'The environment of an API key.',
);

const MAX_NAME_LENGTH = 255;
/** The maximum of PostgreSQL's `integer`. */
const MAX_RATE = 2_147_483_647;

@Input({ graphql: 'CreateApiKeyInput' }, { nullIsAbsent: true })
export class CreateApiKeyInput {
  @Text({ min: 1, max: MAX_NAME_LENGTH }) name: string;
  @OneOf(KEY_SCOPES, { enumType: ApiKeyScope }) scope: KeyScope;
  @OneOf(ENVIRONMENTS, { enumType: ApiKeyEnvironment }) environment: Environment;

  @Integer({ optional: true, min: 1, max: MAX_RATE, description: 'At most the plan’s maximum.' })
  rateLimitPerMinute?: number;
}

@Arguments()
export class RotateApiKeyArgs {
  @SearchText({ isId: true }) id: string;

  @Integer({
    min: OVERLAP_HOURS.min,
    max: OVERLAP_HOURS.max,
    fallback: OVERLAP_HOURS.default,
    description: 'How many hours the old key stays valid. 0 expires it immediately.',
  })
  overlapHours: number;
}
