/** The states of a schedule's recipients for the dashboard. One query serves any number of schedules. */
import { Context, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import DataLoader from 'dataloader';
import { scopeOf, type Principal } from '../../../kernel/principal.js';
import { COST } from '../../../platform/graphql/costs.js';
import { loader, type GraphqlContext } from '../../../platform/graphql/loaders.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { ReportSchedules } from '../application/report-schedules.service.js';
import { ReportRecipientStateType, ReportScheduleType } from './report.type.js';

@Resolver(() => ReportScheduleType)
export class ReportRecipientsResolver {
  constructor(private readonly schedules: ReportSchedules) {}

  @ResolveField(() => [ReportRecipientStateType], {
    complexity: COST.record,
    description: 'Whether each recipient receives the report, in the order of the recipients.',
  })
  @Requires({ permission: 'analytics:read', keyScopes: ['reporting'] })
  async recipientStates(
    @Parent() schedule: ReportScheduleType,
    @CurrentPrincipal() principal: Principal,
    @Context() context: GraphqlContext,
  ): Promise<readonly ReportRecipientStateType[]> {
    const states = loader(
      context,
      'reportSchedules.recipientStates',
      () =>
        new DataLoader((schedules: readonly ReportScheduleType[]) =>
          this.schedules.recipientStates(scopeOf(principal), schedules),
        ),
    );
    return states.load(schedule);
  }
}
