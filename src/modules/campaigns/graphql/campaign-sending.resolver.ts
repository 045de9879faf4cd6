/** Sending campaigns, and stopping them, from the dashboard: the same methods that REST calls, behind the guard that people want. */
import { Args, ID, Mutation, Resolver } from '@nestjs/graphql';
import { scopeOf, type Principal } from '../../../kernel/principal.js';
import { COST } from '../../../platform/graphql/costs.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import type { Gated } from '../../inspect/application/pre-send-gate.js';
import { tokensOf } from '../../inspect/input/override.input.js';
import { AudienceGuard } from '../application/audience-guard.js';
import { CampaignAbTests } from '../application/campaign-ab-tests.js';
import { CampaignLifeCycle } from '../application/campaign-life-cycle.js';
import type { Campaign } from '../domain/campaign.js';
import { SendWinnerArgs } from '../input/campaign-dashboard.input.js';
import {
  paceOf,
  recurrenceFrom,
  ResumeCampaignArgs,
  ScheduleCampaignInput,
  scheduleOf,
  ScheduleRecurringInput,
  SendCampaignInput,
} from '../input/campaign-sending.input.js';
import { CampaignType } from './campaign.type.js';

const WRITE = { permission: 'campaigns:write' } as const;
const CONFIRM = {
  defaultValue: false,
  description: 'Has to be true where the segment is of everybody, or of more than 10,000.',
} as const;

@Resolver()
export class CampaignSendingResolver {
  constructor(
    private readonly campaigns: CampaignLifeCycle,
    private readonly guard: AudienceGuard,
    private readonly tests: CampaignAbTests,
  ) {}

  @Mutation(() => CampaignType, {
    complexity: COST.everybody,
    description: 'Sends a draft at once: its audience is taken now, and its content is frozen.',
  })
  @Requires(WRITE)
  async sendCampaign(
    @CurrentPrincipal() principal: Principal,
    @Args('id', { type: () => ID }) id: string,
    @Args('input', { defaultValue: {} }) input: SendCampaignInput,
    @Args('confirmAudience', CONFIRM) isConfirmed: boolean,
  ): Promise<CampaignType> {
    const scope = scopeOf(principal);
    await this.guard.assertConfirmed(scope, id, isConfirmed);
    const call = { pace: paceOf(input), tokens: tokensOf(input) };
    return this.gatedType(principal, await this.campaigns.send(scope, principal.plan, id, call));
  }

  @Mutation(() => CampaignType, {
    complexity: COST.everybody,
    description: 'Has a draft sent at a moment, or moves one that is scheduled.',
  })
  @Requires(WRITE)
  async scheduleCampaign(
    @CurrentPrincipal() principal: Principal,
    @Args('id', { type: () => ID }) id: string,
    @Args('input') input: ScheduleCampaignInput,
    @Args('confirmAudience', CONFIRM) isConfirmed: boolean,
  ): Promise<CampaignType> {
    const scope = scopeOf(principal);
    await this.guard.assertConfirmed(scope, id, isConfirmed);
    const call = { schedule: scheduleOf(input), tokens: tokensOf(input) };
    return this.gatedType(principal, await this.campaigns.schedule(scope, principal.plan, id, call));
  }

  @Mutation(() => CampaignType, {
    complexity: COST.everybody,
    description: 'Has a draft sent at each date of a recurrence, from the next one on.',
  })
  @Requires(WRITE)
  async scheduleRecurringCampaign(
    @CurrentPrincipal() principal: Principal,
    @Args('id', { type: () => ID }) id: string,
    @Args('input') input: ScheduleRecurringInput,
    @Args('confirmAudience', CONFIRM) isConfirmed: boolean,
  ): Promise<CampaignType> {
    const scope = scopeOf(principal);
    await this.guard.assertConfirmed(scope, id, isConfirmed);
    const call = { recurrence: recurrenceFrom(input), tokens: tokensOf(input) };
    return this.gatedType(principal, await this.campaigns.scheduleRecurring(scope, principal.plan, id, call));
  }

  @Mutation(() => CampaignType, {
    complexity: COST.change,
    description: 'Makes a scheduled campaign a draft again, without its moment and its pace.',
  })
  @Requires(WRITE)
  async unscheduleCampaign(
    @CurrentPrincipal() principal: Principal,
    @Args('id', { type: () => ID }) id: string,
  ): Promise<CampaignType> {
    return this.campaigns.unschedule(scopeOf(principal), id);
  }

  @Mutation(() => CampaignType, {
    complexity: COST.change,
    description: 'Stops sending: no message begins once this has answered.',
  })
  @Requires(WRITE)
  async pauseCampaign(
    @CurrentPrincipal() principal: Principal,
    @Args('id', { type: () => ID }) id: string,
  ): Promise<CampaignType> {
    return this.campaigns.pause(scopeOf(principal), id);
  }

  @Mutation(() => CampaignType, {
    complexity: COST.change,
    description: 'Goes on where it was paused; one that could not begin begins.',
  })
  @Requires(WRITE)
  async resumeCampaign(
    @CurrentPrincipal() principal: Principal,
    @Args() { id, ...tokens }: ResumeCampaignArgs,
  ): Promise<CampaignType> {
    const call = { tokens: tokensOf(tokens) };
    return this.gatedType(
      principal,
      await this.campaigns.resume(scopeOf(principal), principal.plan, id, call),
    );
  }

  @Mutation(() => CampaignType, {
    complexity: COST.change,
    description: 'Ends it: no message begins once this has answered, and all that wait are called off.',
  })
  @Requires(WRITE)
  async cancelCampaign(
    @CurrentPrincipal() principal: Principal,
    @Args('id', { type: () => ID }) id: string,
  ): Promise<CampaignType> {
    return this.campaigns.cancel(scopeOf(principal), id);
  }

  @Mutation(() => CampaignType, {
    complexity: COST.change,
    description: 'Begins no more instances of a recurring one; what has begun goes on.',
  })
  @Requires(WRITE)
  async stopRecurringCampaign(
    @CurrentPrincipal() principal: Principal,
    @Args('id', { type: () => ID }) id: string,
  ): Promise<CampaignType> {
    return this.campaigns.stopRecurring(scopeOf(principal), id);
  }

  @Mutation(() => CampaignType, {
    complexity: COST.change,
    description: 'Goes on with the next date; those that were missed are not made up for.',
  })
  @Requires(WRITE)
  async resumeRecurringCampaign(
    @CurrentPrincipal() principal: Principal,
    @Args() { id, ...tokens }: ResumeCampaignArgs,
  ): Promise<CampaignType> {
    const call = { tokens: tokensOf(tokens) };
    return this.gatedType(
      principal,
      await this.campaigns.resumeRecurring(scopeOf(principal), principal.plan, id, call),
    );
  }

  @Mutation(() => CampaignType, {
    complexity: COST.change,
    description: 'Sends a variant to the rest of the audience: the best so far where none is named.',
  })
  @Requires(WRITE)
  async sendCampaignWinner(
    @CurrentPrincipal() principal: Principal,
    @Args() { id, variant }: SendWinnerArgs,
  ): Promise<CampaignType> {
    return this.campaigns.sendWinner(scopeOf(principal), id, variant ?? null);
  }

  private async gatedType(
    principal: Principal,
    { result, warnings }: Gated<Campaign>,
  ): Promise<CampaignType> {
    return { ...result, warnings, abTestWarnings: await this.tests.warnings(scopeOf(principal), result) };
  }
}
