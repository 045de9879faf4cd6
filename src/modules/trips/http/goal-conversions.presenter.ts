/** REST representation of conversions of a flow's goals, section 2.6. */
import { ApiProperty } from '@nestjs/swagger';
import type { FlowConversions, GoalConversionMetrics } from '../application/goal-conversions.service.js';

export class GoalConversionsResponse {
  @ApiProperty({ format: 'uuid' }) goal_id: string;
  @ApiProperty({ example: 'First order' }) goal_name: string;
  @ApiProperty({ example: 'order_placed' }) event_name: string;
  @ApiProperty({ type: 'integer', example: 800, description: 'Trips that entered the flow in the period.' })
  entered: number;
  @ApiProperty({
    type: 'integer',
    example: 100,
    description:
      'Number of these trips that converted at any time. A trip that converted more than once counts once.',
  })
  conversions: number;
  @ApiProperty({
    type: 'integer',
    example: 130,
    description: 'Conversion events that occurred in the period, whenever their trip entered.',
  })
  total_conversions: number;
  @ApiProperty({
    example: 12.5,
    description: 'Percentage of entered trips that converted, with two decimals. 0 if no trips entered.',
  })
  conversion_rate: number;
}

class DateRangeResponse {
  @ApiProperty({ format: 'date-time' }) from: string;
  @ApiProperty({ format: 'date-time' }) to: string;
}

export class FlowConversionsResponse {
  @ApiProperty({ format: 'uuid' }) flow_id: string;
  @ApiProperty({ type: [GoalConversionsResponse] }) goals: GoalConversionsResponse[];
  @ApiProperty() date_range: DateRangeResponse;
}

export function presentConversions({ flowId, goals, period }: FlowConversions): FlowConversionsResponse {
  return {
    flow_id: flowId,
    goals: goals.map(presentGoalMetrics),
    date_range: { from: period.from.toISOString(), to: period.to.toISOString() },
  };
}

function presentGoalMetrics({ goal, ...metrics }: GoalConversionMetrics): GoalConversionsResponse {
  return {
    goal_id: goal.id,
    goal_name: goal.name,
    event_name: goal.eventName,
    entered: metrics.entered,
    conversions: metrics.conversions,
    total_conversions: metrics.totalConversions,
    conversion_rate: metrics.conversionRate,
  };
}
