/** The columns of a trip, each named once, for code that reads rows and code that stores decisions. */
import { integerArray, momentArray, textArray } from '../../../platform/database/array-parameters.js';
import { camelCase } from '../../../kernel/letter-case.js';
import type { TripState } from '../domain/trip.js';

/** What the engine needs. */
const TRIP_FIELDS = [
  'id',
  'flow_id',
  'flow_version',
  'contact_id',
  'trigger_event_id',
  'last_step',
  'started_at',
];
/** Additional columns of a trip that is over, and of one that may be under way. */
const ENDED_FIELDS = [...TRIP_FIELDS, 'status', 'completed_at', 'ended_reason'];
const STATE_FIELDS = [...ENDED_FIELDS, 'resume_at'];

/** A trip's row after a decision, with the lines that the decision appends to its trail (domain/trail). */
export interface DecidedTripState extends TripState {
  readonly historyLines: string;
}

/** What a query selects to return a `Trip`, from a table with the alias `t`. */
export const TRIP_COLUMNS = selectList(TRIP_FIELDS);
/** The same for an `EndedTrip`. */
export const ENDED_COLUMNS = selectList(ENDED_FIELDS);
/** The same for a `TripState`. */
export const STATE_COLUMNS = selectList(STATE_FIELDS);

interface DecidedColumn {
  readonly column: string;
  readonly type: string;
  readonly values: (states: readonly DecidedTripState[]) => Buffer;
}

/** What is stored of decisions, as array parameters of a statement. */
export const DECIDED_PARAMS: readonly DecidedColumn[] = [
  { column: 'status', type: 'text', values: (states) => textArray(states.map((s) => s.status)) },
  { column: 'last_step', type: 'int', values: (states) => integerArray(states.map((s) => s.lastStep)) },
  {
    column: 'resume_at',
    type: 'timestamptz',
    values: (states) => momentArray(states.map((s) => s.resumeAt)),
  },
  {
    column: 'completed_at',
    type: 'timestamptz',
    values: (states) => momentArray(states.map((s) => s.completedAt)),
  },
  { column: 'ended_reason', type: 'text', values: (states) => textArray(states.map((s) => s.endedReason)) },
  { column: 'trail', type: 'text', values: (states) => textArray(states.map((s) => s.historyLines)) },
];

export const DECIDED_COLUMNS = DECIDED_PARAMS.map(({ column }) => column).join(', ');

/** The arrays of decisions as parameters of a statement; `first` is the number of the first parameter. */
export function decidedArrays(first: number): string {
  return DECIDED_PARAMS.map(({ type }, index) => `$${first + index}::${type}[]`).join(', ');
}

function selectList(columns: readonly string[]): string {
  return columns.map((column) => `t.${column} AS "${camelCase(column)}"`).join(', ');
}
