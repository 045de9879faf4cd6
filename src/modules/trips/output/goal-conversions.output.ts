/** Conversions of a flow's goals, section 2.6, in REST and in GraphQL. */
import type { DateRange } from '../../../kernel/date-range.js';
import { Out, Output } from '../../../platform/output/output-class.js';
import { GoalOutput } from '../../flows/output/goal.output.js';
import type { FlowConversions } from '../application/goal-conversions.service.js';

@Output({ rest: 'GoalConversionsResponse', graphql: 'GoalConversions' })
class GoalConversionsOutput {
  @Out(GoalOutput, { only: 'graphql' }) goal: GoalOutput;
  @Out('ID', { only: 'rest' }) goalId: string;
  @Out('String', { only: 'rest', example: 'First order' }) goalName: string;
  @Out('String', { only: 'rest', example: 'order_placed' }) eventName: string;
  @Out('Int', { example: 800, description: 'Trips that entered the flow in the period.' }) entered: number;
  @Out('Int', {
    example: 100,
    description:
      'Number of these trips that converted at any time. A trip that converted more than once counts once.',
  })
  conversions: number;
  @Out('Int', {
    example: 130,
    description: 'Conversion events that occurred in the period, whenever their trip entered.',
  })
  totalConversions: number;
  @Out('Float', {
    example: 12.5,
    description: 'Percentage of entered trips that converted, with two decimals. 0 if no trips entered.',
  })
  conversionRate: number;
}

@Output({ rest: 'DateRangeResponse', graphql: 'DateRange' })
class DateRangeOutput {
  @Out('DateTime') from: Date;
  @Out('DateTime') to: Date;
}

@Output({ rest: 'FlowConversionsResponse', graphql: 'FlowConversions' })
export class FlowConversionsOutput {
  @Out('ID', { only: 'rest' }) flowId: string;
  @Out([GoalConversionsOutput], { description: 'In the order of the goals.' })
  goals: readonly GoalConversionsOutput[];
  @Out(DateRangeOutput, { only: 'graphql' }) period: DateRange;
  @Out(DateRangeOutput, { only: 'rest' }) dateRange: DateRange;
}

export function flowConversionsOutput({ flowId, goals, period }: FlowConversions): FlowConversionsOutput {
  return {
    flowId,
    goals: goals.map((metrics) => {
      const { id, name, eventName } = metrics.goal;
      return { ...metrics, goalId: id, goalName: name, eventName };
    }),
    period,
    dateRange: period,
  };
}
