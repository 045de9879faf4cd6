/** How many of the trips that entered a flow reached its goals, section 2.6, from the stored counts per hour. */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { readDateRange, type DateRange, type DateRangeInput } from '../../../kernel/date-range.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { Database } from '../../../platform/database/database.js';
import { GoalService } from '../../flows/application/goal.service.js';
import type { Goal } from '../../flows/domain/goal.js';
import { percentage } from '../../metrics/domain/rates.js';
import { wholeHoursOf } from '../domain/trip-count-delta.js';
import { GoalConversionRepository } from '../persistence/goal-conversion.repository.js';
import { EnteredTrips } from '../../metrics/application/entered-trips.js';

export interface GoalConversionMetrics {
  readonly goal: Goal;
  /** Trips that entered the flow in the period. */
  readonly entered: number;
  /** Those of them that converted, at any time. */
  readonly conversions: number;
  /** Events that occurred in the period and converted any trip. */
  readonly totalConversions: number;
  /** Percent, with two decimals. */
  readonly conversionRate: number;
}

export interface FlowConversions {
  readonly flowId: string;
  readonly period: DateRange;
  /** In the order of the flow's goals. */
  readonly goals: readonly GoalConversionMetrics[];
}

@Injectable()
export class GoalConversionsService {
  constructor(
    private readonly database: Database,
    private readonly goals: GoalService,
    private readonly conversions: GoalConversionRepository,
    private readonly trips: EnteredTrips,
    private readonly clock: Clock,
  ) {}

  /**
   * The counts of a flow's goals in the scope's environment.
   * @throws DomainError invalid_date_param, flow_not_found.
   */
  async ofFlow(scope: TenantScope, flowId: string, range: DateRangeInput): Promise<FlowConversions> {
    const period = readDateRange(range, this.clock.now());
    const goals = await this.goals.list(scope, flowId);
    if (goals.length === 0) return { flowId: flowId.toLowerCase(), period, goals: [] };
    const flow = goals[0]?.flowId ?? flowId;
    return this.database.listInScope(scope, async (tx) => {
      // Read in this order: only more trips can enter meanwhile, so there are never more conversions than entries.
      const ids = goals.map(({ id }) => id);
      const counts = await this.conversions.countsOf(tx, scope, ids, wholeHoursOf(period));
      const entered = await this.trips.countWithin(tx, scope, flow, period);
      const metrics = goals.map((goal): GoalConversionMetrics => {
        const { trips, events } = counts.get(goal.id) ?? { trips: 0, events: 0 };
        const rate = percentage(trips, entered);
        return { goal, entered, conversions: trips, totalConversions: events, conversionRate: rate };
      });
      return { flowId: flow, period, goals: metrics };
    });
  }
}
