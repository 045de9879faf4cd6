/** GraphQL types of API keys. */
import { Field, GraphQLISODateTime, ID, Int, ObjectType } from '@nestjs/graphql';
import type { KeyScope } from '../../../kernel/principal.js';
import type { Environment } from '../../../kernel/tenant-scope.js';
import { connection, edge } from '../../../platform/graphql/connection.js';
import type { ApiKey, ListedApiKey } from '../domain/api-key.js';
import { ApiKeyEnvironment, ApiKeyScope } from '../input/api-key.input.js';

@ObjectType('ApiKey', { description: 'An API key. The key itself is returned only when it is created.' })
export class ApiKeyType {
  @Field(() => ID) id: string;
  @Field() name: string;
  @Field(() => ApiKeyScope) scope: KeyScope;
  @Field(() => ApiKeyEnvironment) environment: Environment;
  @Field({ description: 'The last four characters of the key.' }) hint: string;
  @Field(() => Int, { nullable: true }) rateLimitPerMinute: number | null;
  @Field(() => GraphQLISODateTime, { nullable: true }) revokedAt: Date | null;

  @Field(() => GraphQLISODateTime, {
    nullable: true,
    description: 'When a replaced key expires. Null if the key does not expire.',
  })
  expiresAt: Date | null;

  @Field(() => GraphQLISODateTime) createdAt: Date;
}

@ObjectType('ListedApiKey')
export class ListedApiKeyType extends ApiKeyType {
  @Field(() => GraphQLISODateTime, {
    nullable: true,
    description: 'When the key was last used, accurate to a few minutes. Null if it was never used.',
  })
  lastUsedAt: Date | null;
}

@ObjectType('ApiKeyEdge')
export class ApiKeyEdgeType extends edge<ListedApiKeyType>(() => ListedApiKeyType) {}

@ObjectType('ApiKeyConnection')
export class ApiKeyConnectionType extends connection(() => ApiKeyEdgeType) {}

@ObjectType('CreatedApiKey')
export class CreatedApiKeyType {
  @Field(() => ApiKeyType) apiKey: ApiKeyType;
  @Field({ description: 'The key itself. It is not stored and cannot be retrieved again.' }) key: string;
}

@ObjectType('RotatedApiKey')
export class RotatedApiKeyType extends CreatedApiKeyType {
  @Field(() => ApiKeyType, { description: 'The replaced key and when it expires.' }) replaced: ApiKeyType;
}

/** Converts a key for the dashboard. */
export function apiKeyTypeOf(key: ApiKey): ApiKeyType {
  const { id, name, scope, environment, hint, rateLimitPerMinute, revokedAt, expiresAt, createdAt } = key;
  return { id, name, scope, environment, hint, rateLimitPerMinute, revokedAt, expiresAt, createdAt };
}

/** Converts a listed key for the dashboard. */
export function listedApiKeyTypeOf(key: ListedApiKey): ListedApiKeyType {
  return { ...apiKeyTypeOf(key), lastUsedAt: key.lastUsedAt };
}
