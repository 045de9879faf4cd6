/** The period for which the dashboard queries conversions. */
import { DateRangeQuery } from '../../../platform/input/date-range.input.js';
import { Arguments } from '../../../platform/input/input-class.js';

@Arguments()
export class GoalConversionsArgs extends DateRangeQuery {}
