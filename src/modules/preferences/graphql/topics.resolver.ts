/** Topics of the workspace's promotional mail, for the dashboard. */
import { Args, Mutation, Query, Resolver } from '@nestjs/graphql';
import { scopeOf, type Author, type Principal } from '../../../kernel/principal.js';
import { COST } from '../../../platform/graphql/costs.js';
import { CurrentAuthor } from '../../access/current-author.decorator.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { TopicService } from '../application/topic.service.js';
import { CreateTopicInput, newTopicOf, topicChangesOf, UpdateTopicInput } from '../input/topic.input.js';
import { TopicType } from './topic.type.js';

const WRITE = { permission: 'templates:write', keyScopes: ['management'] } as const;

@Resolver(() => TopicType)
export class TopicsResolver {
  constructor(private readonly service: TopicService) {}

  @Query(() => [TopicType], {
    complexity: COST.list,
    description: 'All topics, archived ones too, the oldest first; at most 50.',
  })
  @Requires({ permission: 'templates:read', keyScopes: ['management'] })
  async topics(@CurrentPrincipal() principal: Principal): Promise<TopicType[]> {
    return this.service.list(scopeOf(principal));
  }

  @Mutation(() => TopicType, {
    complexity: COST.change,
    description: 'Adds a topic; a workspace has at most 50. It shows on the preference page at once.',
  })
  @Requires(WRITE)
  async createTopic(
    @CurrentPrincipal() principal: Principal,
    @CurrentAuthor() author: Author,
    @Args('input') input: CreateTopicInput,
  ): Promise<TopicType> {
    return this.service.create(scopeOf(principal), newTopicOf(input), author);
  }

  @Mutation(() => TopicType, {
    complexity: COST.change,
    description: 'Changes what is given of a topic. What people have chosen of it stays.',
  })
  @Requires(WRITE)
  async updateTopic(
    @CurrentPrincipal() principal: Principal,
    @CurrentAuthor() author: Author,
    @Args('key') key: string,
    @Args('input') input: UpdateTopicInput,
  ): Promise<TopicType> {
    return this.service.update(scopeOf(principal), key, topicChangesOf(input), author);
  }
}
