/**
 * A trip's trail: what was decided, when, and on which inputs, so that the trip can be explained. It is written with
 * every state of every trip, so it is compact: one line per entry, in ASCII, `[at, step, outcome, facts, values]`,
 * with empty values at the end left out.
 */
import { ExactNumber } from '../../../kernel/exact-number.js';
import { isJsonObject, type JsonObject } from '../../../kernel/json.js';
import type { Decision, TracedStep } from './advance.js';
import type { TrailOutcome } from './outcomes.js';

export interface TrailEntry {
  readonly at: Date;
  /** The id of the step; 0 for what happened to the trip as a whole. */
  readonly stepId: number;
  readonly outcome: TrailOutcome;
  /** The inputs that decided, without personal data: names of fields and events, times, memberships. */
  readonly facts?: JsonObject | undefined;
  /**
   * A person's values that were inputs: only for callers who may read contacts, and only until the person's erasure.
   */
  readonly values?: JsonObject | undefined;
}

/**
 * Maximum length of a trail in characters. Beyond it, lines are removed from the middle, see persistence/trail-sql.
 */
export const LONGEST_TRAIL = 16_384;
/**
 * Maximum length of what one decision adds, in characters. If it is longer, the first and the last lines are kept.
 */
const LONGEST_PIECE = 8_192;
const LONGEST_LINE = 1_024;
/** Maximum length of one name or value, in characters. */
const LONGEST_TEXT = 100;
const MOST_MEMBERS = 8;

/** The entries as lines of a trail, each with its line end. */
export function trailText(entries: readonly TrailEntry[]): string {
  if (entries.length === 1 && entries[0]) return lineOf(entries[0]);
  const lines = entries.map(lineOf);
  const length = lines.reduce((sum, line) => sum + line.length, 0);
  return length <= LONGEST_PIECE ? lines.join('') : shortened(lines);
}

/** What a decision adds to a trail: the steps that it took, and why the trip cannot continue, if so. */
export function trailOf(trace: readonly TracedStep[], decision: Decision, now: Date): string {
  const entries = trace.map(({ stepId, outcome, facts, values }): TrailEntry => ({
    at: now,
    stepId,
    outcome,
    facts,
    values,
  }));
  if (decision.kind === 'fail' || decision.kind === 'terminate') {
    const outcome = decision.kind === 'fail' ? 'failed' : 'ended';
    entries.push({ at: now, stepId: 0, outcome, facts: { reason: decision.reason } });
  }
  return trailText(entries);
}

/** Parses a trail. Removed lines appear as one entry with the outcome `gap`. */
export function readTrail(text: string): TrailEntry[] {
  const entries: TrailEntry[] = [];
  for (const line of text.split('\n')) {
    if (line === '') continue;
    if (line !== GAP_LINE) entries.push(entryOf(line));
    else if (entries.at(-1)?.outcome !== GAP)
      entries.push({ at: entries.at(-1)?.at ?? EPOCH, stepId: 0, outcome: GAP });
  }
  return entries;
}

/** The outcome that marks removed lines. */
export const GAP = 'gap';
export const GAP_LINE = `[0,0,"${GAP}"]`;
const EPOCH = new Date(0);

function lineOf({ at, stepId, outcome, facts, values }: TrailEntry): string {
  // The most frequent case by far: a step that needed no inputs.
  if (!facts && !values && PLAIN.test(outcome)) return `[${at.getTime()},${stepId},"${outcome}"]\n`;
  // The next most frequent case: a wait, which occurs whenever a trip pauses.
  const until = outcome === 'parked' && !values ? facts?.['resume_at'] : undefined;
  if (typeof until === 'string' && MOMENT.test(until))
    return `[${at.getTime()},${stepId},"parked",{"resume_at":"${until}"}]\n`;
  const start = [at.getTime(), stepId, short(outcome)];
  // If lists are too long, their first items matter most.
  for (const most of [MOST_MEMBERS, 1]) {
    const said = [
      ...(facts || values ? [short(facts ?? {}, most)] : []),
      ...(values ? [short(values, most)] : []),
    ];
    const text = textOf([...start, ...said]);
    if (text.length < LONGEST_LINE) return text;
  }
  const text = textOf(start);
  if (text.length < LONGEST_LINE) return text;
  return `[${at.getTime()},${stepId},"${GAP}"]\n`;
}

function textOf(line: readonly unknown[]): string {
  return `${JSON.stringify(line).replace(BEYOND_ASCII, escaped)}\n`;
}

const PLAIN = /^[\w ]{1,40}$/;
const MOMENT = /^[\dTZ:.+-]{1,40}$/;
const BEYOND_ASCII = /[^\x20-\x7e]/g;

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/**
 * The value within the limits and acceptable to PostgreSQL: no NUL, no lone surrogate.
 * @param most items of each list.
 */
function short(value: unknown, most = MOST_MEMBERS, depth = 0): unknown {
  if (typeof value === 'string') return cut(value);
  if (value instanceof ExactNumber) return cut(value.text);
  if (typeof value !== 'object' || value === null)
    return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;
  if (depth === 3) return cut(JSON.stringify(value) ?? '');
  if (Array.isArray(value)) return value.slice(0, most).map((one) => short(one, most, depth + 1));
  const members = Object.entries(value);
  // Usually there is nothing to shorten.
  if (!('toJSON' in value) && members.length <= MOST_MEMBERS && members.every(isShort)) return value;
  const kept = members.slice(0, MOST_MEMBERS);
  return Object.fromEntries(kept.map(([name, one]) => [cut(name), short(one, most, depth + 1)]));
}

/** Whether a member needs no change: it contains no others, and no text that has to be cut. */
function isShort([name, value]: readonly [string, unknown]): boolean {
  if (cut(name) !== name) return false;
  if (typeof value === 'string') return cut(value) === value;
  return typeof value === 'boolean' || value === null || Number.isFinite(value);
}

function cut(text: string): string {
  const kept = text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT - 1)}…` : text;
  return kept.replaceAll('\0', '').toWellFormed();
}

function shortened(lines: readonly string[]): string {
  const half = LONGEST_PIECE / 2 - GAP_LINE.length;
  const [first, last]: [string[], string[]] = [[], []];
  for (let size = 0, at = 0; size + (lines[at]?.length ?? 0) <= half; at++) {
    size += lines[at]?.length ?? 0;
    first.push(lines[at] ?? '');
  }
  for (let size = 0, at = lines.length - 1; size + (lines[at]?.length ?? 0) <= half; at--) {
    size += lines[at]?.length ?? 0;
    last.unshift(lines[at] ?? '');
  }
  return [...first, `${GAP_LINE}\n`, ...last].join('');
}

function entryOf(line: string): TrailEntry {
  const [at, stepId, outcome, facts, values] = JSON.parse(line) as [
    number,
    number,
    TrailOutcome,
    unknown,
    unknown,
  ];
  return {
    at: new Date(at),
    stepId,
    outcome,
    ...(isJsonObject(facts) ? { facts } : {}),
    ...(isJsonObject(values) ? { values } : {}),
  };
}
