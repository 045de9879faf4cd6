/** API keys in GraphQL. */
import { KEY_SCOPES } from '../../../kernel/principal.js';
import { ENVIRONMENTS } from '../../../kernel/tenant-scope.js';
import { oneOf, Out, Output } from '../../../platform/output/output-class.js';
import { connection } from '../../../platform/output/pages.js';
import { ApiKeyEnvironment, ApiKeyScope } from '../input/api-key.input.js';

@Output({
  graphql: 'ApiKey',
  description: 'An API key. The key itself is returned only when it is created.',
})
export class ApiKeyOutput {
  @Out('ID') id: string;
  @Out('String') name: string;
  @Out(oneOf(KEY_SCOPES, ApiKeyScope)) scope: string;
  @Out(oneOf(ENVIRONMENTS, ApiKeyEnvironment)) environment: string;
  @Out('String', { description: 'The last four characters of the key.' }) hint: string;
  @Out('Int', { nullable: true }) rateLimitPerMinute: number | null;
  @Out('DateTime', { nullable: true }) revokedAt: Date | null;
  @Out('DateTime', {
    nullable: true,
    description: 'When a replaced key expires. Null if the key does not expire.',
  })
  expiresAt: Date | null;
  @Out('DateTime') createdAt: Date;
}

@Output({ graphql: 'ListedApiKey' })
class ListedApiKeyOutput extends ApiKeyOutput {
  @Out('DateTime', {
    nullable: true,
    description: 'When the key was last used, accurate to a few minutes. Null if it was never used.',
  })
  lastUsedAt: Date | null;
}

export const ApiKeyConnection = connection('ApiKey', ListedApiKeyOutput);

@Output({ graphql: 'CreatedApiKey' })
export class CreatedApiKeyOutput {
  @Out(ApiKeyOutput) apiKey: ApiKeyOutput;
  @Out('String', { description: 'The key itself. It is not stored and cannot be retrieved again.' })
  key: string;
}

@Output({ graphql: 'RotatedApiKey' })
export class RotatedApiKeyOutput extends CreatedApiKeyOutput {
  @Out(ApiKeyOutput, { description: 'The replaced key and when it expires.' }) replaced: ApiKeyOutput;
}
