/** A goal in REST (section 2.5), and the class that describes it in the OpenAPI document. */
import { ApiProperty } from '@nestjs/swagger';
import type { JsonObject } from '../../../kernel/json.js';
import { WINDOW_UNITS, type Goal } from '../domain/goal.js';

export class GoalResponse {
  @ApiProperty({ format: 'uuid' }) id: string;
  @ApiProperty({ format: 'uuid' }) flow_id: string;
  @ApiProperty({ type: 'integer', description: 'Starts at 0, without gaps.' }) position: number;
  @ApiProperty({ example: 'First order' }) name: string;
  @ApiProperty({ example: 'order_placed' }) event_name: string;
  @ApiProperty({ type: Object, example: { plan: 'pro' } }) event_filters: JsonObject;
  @ApiProperty({ type: 'integer', example: 7 }) attribution_window_value: number;
  @ApiProperty({ enum: WINDOW_UNITS }) attribution_window_unit: string;
  @ApiProperty() exit_on_conversion: boolean;
  @ApiProperty({ format: 'date-time' }) created_at: string;
  @ApiProperty({ format: 'date-time' }) updated_at: string;
}

export function presentGoal(goal: Goal): GoalResponse {
  return {
    id: goal.id,
    flow_id: goal.flowId,
    position: goal.position,
    name: goal.name,
    event_name: goal.eventName,
    event_filters: goal.eventFilters,
    attribution_window_value: goal.attributionWindowValue,
    attribution_window_unit: goal.attributionWindowUnit,
    exit_on_conversion: goal.exitOnConversion,
    created_at: goal.createdAt.toISOString(),
    updated_at: goal.updatedAt.toISOString(),
  };
}
