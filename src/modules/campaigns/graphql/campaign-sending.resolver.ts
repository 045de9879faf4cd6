/**
 * Sends and stops campaigns from the dashboard. Calls the same service methods as REST, after the audience
 * confirmation.
 */
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
import { CampaignOutput } from '../output/campaign.output.js';

const WRITE = { permission: 'campaigns:write' } as const;
const CONFIRM = {
  defaultValue: false,
  description: 'Must be true if the segment contains all contacts or more than 10,000.',
} as const;

@Resolver()
export class CampaignSendingResolver {
  constructor(
    private readonly campaigns: CampaignLifeCycle,
    private readonly guard: AudienceGuard,
    private readonly tests: CampaignAbTests,
  ) {}

  @Mutation(() => CampaignOutput, {
    complexity: COST.wholeTenant,
    description: 'Sends a draft immediately. The audience is selected now and the content is frozen.',
  })
  @Requires(WRITE)
  async sendCampaign(
    @CurrentPrincipal() principal: Principal,
    @Args('id', { type: () => ID }) id: string,
    @Args('input', { defaultValue: {} }) input: SendCampaignInput,
    @Args('confirmAudience', CONFIRM) isConfirmed: boolean,
  ): Promise<CampaignOutput> {
    const scope = scopeOf(principal);
    await this.guard.assertConfirmed(scope, id, isConfirmed);
    const call = { pace: paceOf(input), tokens: tokensOf(input) };
    return this.begun(principal, await this.campaigns.send(scope, principal.plan, id, call));
  }

  @Mutation(() => CampaignOutput, {
    complexity: COST.wholeTenant,
    description: 'Schedules a draft for a given time, or reschedules a scheduled campaign.',
  })
  @Requires(WRITE)
  async scheduleCampaign(
    @CurrentPrincipal() principal: Principal,
    @Args('id', { type: () => ID }) id: string,
    @Args('input') input: ScheduleCampaignInput,
    @Args('confirmAudience', CONFIRM) isConfirmed: boolean,
  ): Promise<CampaignOutput> {
    const scope = scopeOf(principal);
    await this.guard.assertConfirmed(scope, id, isConfirmed);
    const call = { schedule: scheduleOf(input), tokens: tokensOf(input) };
    return this.begun(principal, await this.campaigns.schedule(scope, principal.plan, id, call));
  }

  @Mutation(() => CampaignOutput, {
    complexity: COST.wholeTenant,
    description: 'Sends a draft at every date of a recurrence, starting with the next one.',
  })
  @Requires(WRITE)
  async scheduleRecurringCampaign(
    @CurrentPrincipal() principal: Principal,
    @Args('id', { type: () => ID }) id: string,
    @Args('input') input: ScheduleRecurringInput,
    @Args('confirmAudience', CONFIRM) isConfirmed: boolean,
  ): Promise<CampaignOutput> {
    const scope = scopeOf(principal);
    await this.guard.assertConfirmed(scope, id, isConfirmed);
    const call = { recurrence: recurrenceFrom(input), tokens: tokensOf(input) };
    return this.begun(principal, await this.campaigns.scheduleRecurring(scope, principal.plan, id, call));
  }

  @Mutation(() => CampaignOutput, {
    complexity: COST.change,
    description: 'Turns a scheduled campaign back into a draft and removes its time and pace.',
  })
  @Requires(WRITE)
  async unscheduleCampaign(
    @CurrentPrincipal() principal: Principal,
    @Args('id', { type: () => ID }) id: string,
  ): Promise<CampaignOutput> {
    return this.campaigns.unschedule(scopeOf(principal), id);
  }

  @Mutation(() => CampaignOutput, {
    complexity: COST.change,
    description: 'Pauses sending. No message starts after this returns.',
  })
  @Requires(WRITE)
  async pauseCampaign(
    @CurrentPrincipal() principal: Principal,
    @Args('id', { type: () => ID }) id: string,
  ): Promise<CampaignOutput> {
    return this.campaigns.pause(scopeOf(principal), id);
  }

  @Mutation(() => CampaignOutput, {
    complexity: COST.change,
    description: 'Resumes a paused campaign, or starts one that could not start.',
  })
  @Requires(WRITE)
  async resumeCampaign(
    @CurrentPrincipal() principal: Principal,
    @Args() { id, ...tokens }: ResumeCampaignArgs,
  ): Promise<CampaignOutput> {
    const call = { tokens: tokensOf(tokens) };
    return this.begun(principal, await this.campaigns.resume(scopeOf(principal), principal.plan, id, call));
  }

  @Mutation(() => CampaignOutput, {
    complexity: COST.change,
    description:
      'Cancels a campaign. No message starts after this returns, and all waiting messages are cancelled.',
  })
  @Requires(WRITE)
  async cancelCampaign(
    @CurrentPrincipal() principal: Principal,
    @Args('id', { type: () => ID }) id: string,
  ): Promise<CampaignOutput> {
    return this.campaigns.cancel(scopeOf(principal), id);
  }

  @Mutation(() => CampaignOutput, {
    complexity: COST.change,
    description: 'Stops a recurring campaign. No new instances start; instances already started continue.',
  })
  @Requires(WRITE)
  async stopRecurringCampaign(
    @CurrentPrincipal() principal: Principal,
    @Args('id', { type: () => ID }) id: string,
  ): Promise<CampaignOutput> {
    return this.campaigns.stopRecurring(scopeOf(principal), id);
  }

  @Mutation(() => CampaignOutput, {
    complexity: COST.change,
    description: 'Resumes a recurring campaign at its next date. Missed dates are skipped.',
  })
  @Requires(WRITE)
  async resumeRecurringCampaign(
    @CurrentPrincipal() principal: Principal,
    @Args() { id, ...tokens }: ResumeCampaignArgs,
  ): Promise<CampaignOutput> {
    const call = { tokens: tokensOf(tokens) };
    return this.begun(
      principal,
      await this.campaigns.resumeRecurring(scopeOf(principal), principal.plan, id, call),
    );
  }

  @Mutation(() => CampaignOutput, {
    complexity: COST.change,
    description:
      'Sends a variant to the rest of the audience. By default, the variant with the best result so far.',
  })
  @Requires(WRITE)
  async sendCampaignWinner(
    @CurrentPrincipal() principal: Principal,
    @Args() { id, variant }: SendWinnerArgs,
  ): Promise<CampaignOutput> {
    return this.campaigns.sendWinner(scopeOf(principal), id, variant ?? null);
  }

  private async begun(principal: Principal, { result, warnings }: Gated<Campaign>): Promise<CampaignOutput> {
    return { ...result, warnings, abTestWarnings: await this.tests.warnings(scopeOf(principal), result) };
  }
}
