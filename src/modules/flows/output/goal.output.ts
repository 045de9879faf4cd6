/** A goal in REST (section 2.5) and in GraphQL. */
import type { JsonObject } from '../../../kernel/json.js';
import { oneOf, Out, Output } from '../../../platform/output/output-class.js';
import { WINDOW_UNITS } from '../domain/goal.js';

@Output({
  rest: 'GoalResponse',
  graphql: 'FlowGoal',
  description: 'An event that counts as a conversion of earlier trips.',
})
export class GoalOutput {
  @Out('ID') id: string;
  @Out('ID') flowId: string;
  @Out('Int', { description: 'Starts at 0, without gaps.' }) position: number;
  @Out('String', { example: 'First order' }) name: string;
  @Out('String', { example: 'order_placed' }) eventName: string;
  @Out('JSON', { example: { plan: 'pro' } }) eventFilters: JsonObject;
  @Out('Int', { example: 7 }) attributionWindowValue: number;
  @Out(oneOf(WINDOW_UNITS), { description: 'hours, days or weeks' }) attributionWindowUnit: string;
  @Out('Boolean') exitOnConversion: boolean;
  @Out('DateTime') createdAt: Date;
  @Out('DateTime') updatedAt: Date;
}
