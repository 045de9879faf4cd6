/** A conversion goal of a flow, section 2.5: an event that counts as a success of the trips before it. */
import { DAY, HOUR } from '../../../kernel/duration.js';
import type { JsonObject } from '../../../kernel/json.js';

export const WINDOW_UNITS = ['hours', 'days', 'weeks'] as const;
export type WindowUnit = (typeof WINDOW_UNITS)[number];

/** What a person sets on a goal. */
export interface NewGoal {
  readonly name: string;
  /** Unique among the flow's goals. */
  readonly eventName: string;
  /** Every key and value that an event must have; `{}` counts every occurrence. */
  readonly eventFilters: JsonObject;
  readonly attributionWindowValue: number;
  readonly attributionWindowUnit: WindowUnit;
  /** Whether a conversion ends the contact's trip. */
  readonly exitOnConversion: boolean;
}

export interface Goal extends NewGoal {
  readonly id: string;
  readonly flowId: string;
  /** From 0, without gaps. */
  readonly position: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export const GOAL_DEFAULTS = {
  eventFilters: {},
  attributionWindowValue: 7,
  attributionWindowUnit: 'days',
  exitOnConversion: false,
} as const satisfies Partial<NewGoal>;

export const MAX_WINDOW = 365;
/** More than is useful in one flow; each batch of events reads the goals that match its event names. */
export const MAX_GOALS = 50;

const MS_PER_UNIT: Readonly<Record<WindowUnit, number>> = { hours: HOUR, days: DAY, weeks: 7 * DAY };

/** How long after its start a trip may convert, in milliseconds. A day has 24 hours, regardless of clock changes. */
export function attributionWindow(
  goal: Pick<NewGoal, 'attributionWindowValue' | 'attributionWindowUnit'>,
): number {
  return goal.attributionWindowValue * MS_PER_UNIT[goal.attributionWindowUnit];
}
