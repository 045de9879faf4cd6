/** The dashboard's API keys, for members who may manage members. */
import { Args, ID, Mutation, Query, Resolver } from '@nestjs/graphql';
import { connectionOf, type Connection, type Edge } from '../../../platform/graphql/connection.js';
import { COST } from '../../../platform/graphql/costs.js';
import { PageArgs } from '../../../platform/input/page.input.js';
import { encodeCursor, KEY, decodeCursor } from '../../../kernel/page-cursor.js';
import { type Author, type Principal, scopeOf } from '../../../kernel/principal.js';
import { CurrentAuthor } from '../../access/current-author.decorator.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { planOf } from '../../limits/domain/plan.js';
import { ApiKeyService } from '../application/api-key.service.js';
import type { ApiKey, ListedApiKey } from '../domain/api-key.js';
import { CreateApiKeyInput, RotateApiKeyArgs } from '../input/api-key.input.js';
import {
  ApiKeyConnection,
  ApiKeyOutput,
  CreatedApiKeyOutput,
  RotatedApiKeyOutput,
} from '../output/api-key.output.js';

/** Identifies cursors of this list. */
const LIST = 'API keys';

@Resolver(() => ApiKeyOutput)
export class ApiKeyResolver {
  constructor(private readonly keys: ApiKeyService) {}

  @Query(() => ApiKeyConnection, {
    complexity: COST.list,
    description: 'API keys, oldest first, including revoked keys.',
  })
  @Requires({ permission: 'members:write', isWriting: false })
  async apiKeys(
    @CurrentPrincipal() principal: Principal,
    @Args() args: PageArgs,
  ): Promise<Connection<Edge<ListedApiKey>>> {
    const page = { first: args.first, after: decodeCursor(LIST, args.after, KEY.none) };
    return connectionOf(await this.keys.page(scopeOf(principal), page), args, (node) => ({
      cursor: encodeCursor(LIST, { key: '', id: node.id }),
      node,
    }));
  }

  @Mutation(() => CreatedApiKeyOutput, {
    complexity: COST.change,
    description: 'Creates an API key. The key itself is returned only in this response.',
  })
  @Requires({ permission: 'members:write' })
  async createApiKey(
    @CurrentPrincipal() principal: Principal,
    @CurrentAuthor() author: Author,
    @Args('input') input: CreateApiKeyInput,
  ): Promise<CreatedApiKeyOutput> {
    const { name, scope, environment, rateLimitPerMinute = null } = input;
    const newKey = { name, scope, environment, rateLimitPerMinute };
    const plan = planOf(principal.plan);
    const { apiKey, raw } = await this.keys.create(scopeOf(principal), plan, newKey, author);
    return { apiKey, key: raw };
  }

  @Mutation(() => RotatedApiKeyOutput, {
    complexity: COST.change,
    description:
      'Creates a replacement for an API key. The new key is returned only in this response. The old key stays ' +
      'valid for the overlap period.',
  })
  @Requires({ permission: 'members:write' })
  async rotateApiKey(
    @CurrentPrincipal() principal: Principal,
    @CurrentAuthor() author: Author,
    @Args() { id, overlapHours }: RotateApiKeyArgs,
  ): Promise<RotatedApiKeyOutput> {
    const { apiKey, raw, replaced } = await this.keys.rotate(scopeOf(principal), id, overlapHours, author);
    return { apiKey, key: raw, replaced };
  }

  @Mutation(() => ApiKeyOutput, {
    complexity: COST.change,
    description: 'Revokes an API key permanently, with immediate effect.',
  })
  @Requires({ permission: 'members:write' })
  async revokeApiKey(
    @CurrentPrincipal() principal: Principal,
    @CurrentAuthor() author: Author,
    @Args('id', { type: () => ID }) id: string,
  ): Promise<ApiKey> {
    return this.keys.revoke(scopeOf(principal), id, author);
  }
}
