/** Input for the goals of a flow, sections 2.5 and 4.2, shared by REST and GraphQL. */
import { DomainError } from '../../../kernel/domain-error.js';
import { isEventName } from '../../../kernel/event-name.js';
import type { JsonObject } from '../../../kernel/json.js';
import { blankProblem } from '../../../platform/input/checks.js';
import { Flag, Json, OneOf, SearchText, Text, Texts, Integer } from '../../../platform/input/fields.js';
import { Arguments, Input } from '../../../platform/input/input-class.js';
import { spelled, type InputSource } from '../../../platform/input/input-table.js';
import { GOAL_DEFAULTS, MAX_WINDOW, WINDOW_UNITS, type NewGoal, type WindowUnit } from '../domain/goal.js';
import { assertFilterSize } from '../domain/goal-list.js';
import { conditionsProblem } from './flow.input.js';

const MAX_NAME_CHARS = 255;

const NAME = { min: 1, max: MAX_NAME_CHARS, check: blankProblem, example: 'First order' } as const;
const EVENT_NAME = {
  min: 1,
  max: MAX_NAME_CHARS,
  example: 'order_placed',
  description: 'Lower snake case. A flow has one goal per event.',
} as const;
const FILTERS = {
  optional: true,
  check: conditionsProblem,
  example: { plan: 'pro' },
  description: 'An event counts only if its attributes match every key and value. At most 4 KB.',
} as const;
const WINDOW = { optional: true, min: 1, max: MAX_WINDOW } as const;
const UNIT = { optional: true, description: WINDOW_UNITS.join(', ') } as const;

@Input({ rest: 'CreateGoalBody', graphql: 'CreateFlowGoalInput' }, { nullIsAbsent: true })
export class CreateGoalInput {
  @Text(NAME) name: string;
  @Text(EVENT_NAME) eventName: string;
  @Json({ ...FILTERS, default: GOAL_DEFAULTS.eventFilters }) eventFilters?: JsonObject;
  @Integer({ ...WINDOW, default: GOAL_DEFAULTS.attributionWindowValue }) attributionWindowValue?: number;
  @OneOf(WINDOW_UNITS, { ...UNIT, default: GOAL_DEFAULTS.attributionWindowUnit })
  attributionWindowUnit?: WindowUnit;
  @Flag({ optional: true, default: GOAL_DEFAULTS.exitOnConversion }) exitOnConversion?: boolean;
}

@Input(
  {
    rest: 'UpdateGoalBody',
    graphql: 'UpdateFlowGoalInput',
    description: 'Omitted or null fields do not change.',
  },
  { nullIsAbsent: true },
)
export class UpdateGoalInput implements Partial<NewGoal> {
  @Text({ ...NAME, optional: true }) name?: string;
  @Text({ ...EVENT_NAME, optional: true }) eventName?: string;
  @Json(FILTERS) eventFilters?: JsonObject;
  @Integer(WINDOW) attributionWindowValue?: number;
  @OneOf(WINDOW_UNITS, UNIT) attributionWindowUnit?: WindowUnit;
  @Flag({ optional: true }) exitOnConversion?: boolean;
}

const GOAL_IDS = {
  description: 'All goals of the flow, each exactly once, in the new order.',
} as const;

@Input({ rest: 'ReorderGoalsBody' })
export class ReorderGoalsInput {
  @Texts(GOAL_IDS) goalIds: readonly string[];
}

@Arguments()
export class ReorderGoalsArgs {
  @SearchText({ isId: true, description: 'ID of the flow.' }) flowId: string;
  @Texts(GOAL_IDS) goalIds: readonly string[];
}

/**
 * The requested goal.
 * @throws DomainError invalid_event_name; invalid_field for filters that are too large.
 */
export function newGoalOf(input: CreateGoalInput, face: InputSource): NewGoal {
  const goal: NewGoal = { ...GOAL_DEFAULTS, ...input };
  assertGoal(goal, face);
  return goal;
}

/**
 * The requested changes to a goal.
 * @throws DomainError as `newGoalOf`.
 */
export function goalChangesOf(input: UpdateGoalInput, face: InputSource): Partial<NewGoal> {
  const changes = { ...input };
  assertGoal(changes, face);
  return changes;
}

function assertGoal({ eventName, eventFilters }: Partial<NewGoal>, face: InputSource): void {
  if (eventFilters) assertFilterSize({ eventFilters }, spelled(face, 'eventFilters'));
  if (eventName === undefined || isEventName(eventName)) return;
  const field = spelled(face, 'eventName');
  throw new DomainError('invalid_event_name', `${field} must be lower snake case, such as order_placed.`, {
    errors: [{ field, message: 'must be lower snake case' }],
  });
}
