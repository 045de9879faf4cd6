/** The states of a schedule's recipients for the dashboard. One query serves any number of schedules. */
import { Context, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import DataLoader from 'dataloader';
import { scopeOf, type Principal } from '../../../kernel/principal.js';
import { COST } from '../../../platform/graphql/costs.js';
import { loader, type GraphqlContext } from '../../../platform/graphql/loaders.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { ReportSchedules } from '../application/report-schedules.service.js';
import { ReportRecipientStateOutput, ReportScheduleOutput } from '../output/report-schedule.output.js';

@Resolver(() => ReportScheduleOutput)
export class ReportRecipientsResolver {
  constructor(private readonly schedules: ReportSchedules) {}

  @ResolveField(() => [ReportRecipientStateOutput], {
    complexity: COST.record,
    description: 'Whether each recipient receives the report, in the order of the recipients.',
  })
  @Requires({ permission: 'analytics:read', keyScopes: ['reporting'] })
  async recipientStates(
    @Parent() schedule: ReportScheduleOutput,
    @CurrentPrincipal() principal: Principal,
    @Context() context: GraphqlContext,
  ): Promise<readonly ReportRecipientStateOutput[]> {
    const states = loader(
      context,
      'reportSchedules.recipientStates',
      () =>
        new DataLoader((schedules: readonly ReportScheduleOutput[]) =>
          this.schedules.recipientStates(scopeOf(principal), schedules),
        ),
    );
    return states.load(schedule);
  }
}
