/** Topics of the workspace's promotional mail, in GraphQL. */
import { Args, Mutation, Query, Resolver } from '@nestjs/graphql';
import { scopeOf, type Author, type Principal } from '../../../kernel/principal.js';
import { COST } from '../../../platform/graphql/costs.js';
import { CurrentAuthor } from '../../access/current-author.decorator.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { TopicService } from '../application/topic.service.js';
import type { Topic } from '../domain/topic.js';
import { CreateTopicInput, newTopicOf, topicChangesOf, UpdateTopicInput } from '../input/topic.input.js';
import { TopicOutput } from '../output/topic.output.js';

const WRITE = { permission: 'templates:write', keyScopes: ['management'] } as const;

@Resolver(() => TopicOutput)
export class TopicsResolver {
  constructor(private readonly service: TopicService) {}

  @Query(() => [TopicOutput], {
    complexity: COST.list,
    description: 'All topics, including archived ones, oldest first; at most 50.',
  })
  @Requires({ permission: 'templates:read', keyScopes: ['management'] })
  async topics(@CurrentPrincipal() principal: Principal): Promise<Topic[]> {
    return this.service.list(scopeOf(principal));
  }

  @Mutation(() => TopicOutput, {
    complexity: COST.change,
    description:
      'Creates a topic. A workspace can have at most 50. The topic appears on the preference page immediately.',
  })
  @Requires(WRITE)
  async createTopic(
    @CurrentPrincipal() principal: Principal,
    @CurrentAuthor() author: Author,
    @Args('input') input: CreateTopicInput,
  ): Promise<Topic> {
    return this.service.create(scopeOf(principal), newTopicOf(input), author);
  }

  @Mutation(() => TopicOutput, {
    complexity: COST.change,
    description: 'Updates a topic. Omitted fields do not change, nor do the choices of contacts.',
  })
  @Requires(WRITE)
  async updateTopic(
    @CurrentPrincipal() principal: Principal,
    @CurrentAuthor() author: Author,
    @Args('key') key: string,
    @Args('input') input: UpdateTopicInput,
  ): Promise<Topic> {
    return this.service.update(scopeOf(principal), key, topicChangesOf(input), author);
  }
}
