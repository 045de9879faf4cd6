/** Operations on the goals of a flow, section 4.2. The caller that stores the result holds the flow's lock. */
import { DomainError, invalidFields } from '../../../kernel/domain-error.js';
import { jsonText } from '../../../kernel/json-text.js';
import { MAX_GOALS, type Goal, type NewGoal } from './goal.js';

/** Bytes of JSON: each batch of events reads the filters of all goals that match its event names. */
const MAX_FILTER_BYTES = 4_096;

/**
 * @param id of the goal that is changed; undefined for a new one.
 * @throws DomainError goal_event_name_conflict if another goal of the flow has the event.
 */
export function assertEventUnused(goals: readonly Goal[], eventName: string, id?: string): void {
  const other = goals.find((goal) => goal.eventName === eventName && goal.id !== id);
  if (other)
    throw new DomainError(
      'goal_event_name_conflict',
      `The goal "${other.name}" of the flow already counts ${eventName}.`,
    );
}

/**
 * @throws DomainError invalid_field if the flow has the maximum number of goals.
 */
export function assertGoalLimit(goals: readonly Goal[]): void {
  if (goals.length >= MAX_GOALS)
    throw invalidFields([{ field: 'goals', message: `must be at most ${MAX_GOALS} per flow` }]);
}

/**
 * @param field the caller's name of the filters.
 * @throws DomainError invalid_field for filters that are too large.
 */
export function assertFilterSize({ eventFilters }: Pick<NewGoal, 'eventFilters'>, field: string): void {
  if (Buffer.byteLength(jsonText(eventFilters)) <= MAX_FILTER_BYTES) return;
  throw invalidFields([
    { field, message: `must not be larger than ${MAX_FILTER_BYTES} bytes of JSON (4 KB)` },
  ]);
}

/** @throws DomainError goal_not_found. */
export function goalOf(goals: readonly Goal[], id: string): Goal {
  const goal = goals.find((known) => known.id === id.toLowerCase());
  if (!goal) throw new DomainError('goal_not_found', `The flow has no goal with the ID ${id}.`);
  return goal;
}

/**
 * The goals in the requested order, with their positions.
 * @throws DomainError validation_error unless the list names each goal exactly once, and nothing else.
 */
export function reordered(goals: readonly Goal[], ids: readonly string[]): Goal[] {
  const byId = new Map(goals.map((goal) => [goal.id, goal]));
  const named = ids.map((id) => byId.get(id.toLowerCase()));
  const known = named.filter((goal) => goal !== undefined);
  if (known.length < named.length || ids.length !== goals.length || new Set(known).size < goals.length)
    throw new DomainError(
      'validation_error',
      `The list must contain each of the flow's ${goals.length} goals exactly once and nothing else.`,
    );
  return known.map((goal, position) => ({ ...goal, position }));
}
