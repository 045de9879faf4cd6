/** The topic of a template's promotional mail, for the dashboard. */
import { Args, Mutation, Resolver } from '@nestjs/graphql';
import { actorOf, scopeOf, type Principal } from '../../../kernel/principal.js';
import { COST } from '../../../platform/graphql/costs.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { TemplateTopicService } from '../application/template-topic.service.js';
import { TemplateTopicArgs } from '../input/template-topic.input.js';
import { TemplateOutput } from '../output/template.output.js';

@Resolver(() => TemplateOutput)
export class TemplateTopicResolver {
  constructor(private readonly service: TemplateTopicService) {}

  @Mutation(() => TemplateOutput, {
    complexity: COST.change,
    description:
      'Assigns the topic of a template’s promotional mail. Contacts who opted out of the topic do not receive ' +
      'it. Does not create a version.',
  })
  @Requires({ permission: 'templates:write', keyScopes: ['management'] })
  async setTemplateTopic(
    @CurrentPrincipal() principal: Principal,
    @Args() { slug, topic }: TemplateTopicArgs,
  ): Promise<TemplateOutput> {
    return this.service.set(scopeOf(principal), slug, topic ?? null, actorOf(principal));
  }
}
