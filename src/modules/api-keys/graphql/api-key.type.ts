/** API keys as the dashboard sees them. */
import { Field, GraphQLISODateTime, ID, InputType, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import { IsIn, IsInt, IsOptional, IsString, Length, Max, Min } from 'class-validator';
import { KEY_SCOPES, type KeyScope } from '../../../kernel/principal.js';
import { ENVIRONMENTS, type Environment } from '../../../kernel/tenant-scope.js';
import { connection, edge } from '../../../platform/graphql/connection.js';
import type { ApiKey } from '../domain/api-key.js';

export const ApiKeyScope = {
  data: 'data',
  reporting: 'reporting',
  management: 'management',
  full: 'full',
} as const;
registerEnumType(ApiKeyScope, { name: 'ApiKeyScope', description: 'What an API key reaches.' });

export const ApiKeyEnvironment = { live: 'live', test: 'test' } as const;
registerEnumType(ApiKeyEnvironment, { name: 'ApiKeyEnvironment', description: 'Where an API key acts.' });

@ObjectType('ApiKey', { description: 'An API key; the key itself is shown only when it is made.' })
export class ApiKeyType {
  @Field(() => ID) id: string;
  @Field() name: string;
  @Field(() => ApiKeyScope) scope: KeyScope;
  @Field(() => ApiKeyEnvironment) environment: Environment;
  @Field({ description: 'The last four characters of the key.' }) hint: string;
  @Field(() => Int, { nullable: true }) rateLimitPerMinute: number | null;
  @Field(() => GraphQLISODateTime, { nullable: true }) revokedAt: Date | null;
  @Field(() => GraphQLISODateTime) createdAt: Date;
}

@ObjectType('ApiKeyEdge')
export class ApiKeyEdgeType extends edge<ApiKeyType>(() => ApiKeyType) {}

@ObjectType('ApiKeyConnection')
export class ApiKeyConnectionType extends connection(() => ApiKeyEdgeType) {}

@ObjectType('CreatedApiKey')
export class CreatedApiKeyType {
  @Field(() => ApiKeyType) apiKey: ApiKeyType;
  @Field({ description: 'The key itself. It is not stored and will not be shown again.' }) key: string;
}

@InputType('CreateApiKeyInput')
export class CreateApiKeyInput {
  @Field() @IsString() @Length(1, 255) name: string;
  @Field(() => ApiKeyScope) @IsIn(KEY_SCOPES) scope: KeyScope;
  @Field(() => ApiKeyEnvironment) @IsIn(ENVIRONMENTS) environment: Environment;
  @Field(() => Int, { nullable: true, description: "At most the plan's maximum." })
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(2_147_483_647)
  rateLimitPerMinute?: number | null;
}

/** What the dashboard sees of a key. */
export function apiKeyTypeOf(key: ApiKey): ApiKeyType {
  const { id, name, scope, environment, hint, rateLimitPerMinute, revokedAt, createdAt } = key;
  return { id, name, scope, environment, hint, rateLimitPerMinute, revokedAt, createdAt };
}
