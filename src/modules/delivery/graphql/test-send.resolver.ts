/** Test emails from the dashboard, by the same method that REST calls. */
import { Args, Mutation, Resolver } from '@nestjs/graphql';
import { actorOf, scopeOf, type Principal } from '../../../kernel/principal.js';
import { COST } from '../../../platform/graphql/costs.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { TestSendService } from '../application/test-send.service.js';
import { TestEmailInput, testSendOf } from '../input/test-send.input.js';
import { TestSendOutput } from '../output/test-send.output.js';

@Resolver()
export class TestSendResolver {
  constructor(private readonly testSends: TestSendService) {}

  @Mutation(() => TestSendOutput, {
    description: 'Sends a test email of unsaved content to a few addresses and returns the outcome for each.',
    complexity: COST.emails,
  })
  @Requires({ permission: 'templates:write', keyScopes: ['management'] })
  async sendTestEmail(
    @CurrentPrincipal() principal: Principal,
    @Args('input') input: TestEmailInput,
  ): Promise<TestSendOutput> {
    return this.testSends.send(scopeOf(principal), testSendOf(input), actorOf(principal));
  }
}
