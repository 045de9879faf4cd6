/**
 * A trip's trail: what was decided, when, and on which inputs, so that the trip can be explained. It is written with
 * every state of every trip, so it is compact: one line per entry, in ASCII, `[at, step, outcome, facts, values]`,
 * with empty values at the end left out.
 */
import { ExactNumber } from '../../../kernel/exact-number.js';
import { isJsonObject, type JsonObject } from '../../../kernel/json.js';
import type { Decision, TracedStep } from './decision.js';
import type { HistoryOutcome } from './outcomes.js';

export interface HistoryEntry {
  readonly at: Date;
  /** The id of the step; 0 for what happened to the trip as a whole. */
  readonly stepId: number;
  readonly outcome: HistoryOutcome;
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
export const MAX_HISTORY_CHARS = 16_384;
/**
 * Maximum length of what one decision adds, in characters. If it is longer, the first and the last lines are kept.
 */
const MAX_DECISION_CHARS = 8_192;
const MAX_LINE_CHARS = 1_024;
/** Maximum length of one name or value, in characters. */
const MAX_TEXT_CHARS = 100;
const MAX_MEMBERS = 8;

/** The entries as lines of a trail, each with its line end. */
export function formatHistory(entries: readonly HistoryEntry[]): string {
  if (entries.length === 1 && entries[0]) return formatLine(entries[0]);
  const lines = entries.map(formatLine);
  const length = lines.reduce((sum, line) => sum + line.length, 0);
  return length <= MAX_DECISION_CHARS ? lines.join('') : withoutMiddle(lines);
}

/** What a decision adds to a trail: the steps that it took, and why the trip cannot continue, if so. */
export function formatDecisionHistory(trace: readonly TracedStep[], decision: Decision, now: Date): string {
  const entries = trace.map(({ stepId, outcome, facts, values }): HistoryEntry => ({
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
  return formatHistory(entries);
}

/** Parses a trail. Removed lines appear as one entry with the outcome `gap`. */
export function parseHistory(text: string): HistoryEntry[] {
  const entries: HistoryEntry[] = [];
  for (const line of text.split('\n')) {
    if (line === '') continue;
    if (line !== GAP_LINE) entries.push(parseLine(line));
    else if (entries.at(-1)?.outcome !== GAP)
      entries.push({ at: entries.at(-1)?.at ?? EPOCH, stepId: 0, outcome: GAP });
  }
  return entries;
}

/** The outcome that marks removed lines. */
export const GAP = 'gap';
export const GAP_LINE = `[0,0,"${GAP}"]`;
const EPOCH = new Date(0);

function formatLine({ at, stepId, outcome, facts, values }: HistoryEntry): string {
  // The most frequent case by far: a step that needed no inputs.
  if (!facts && !values && PLAIN_OUTCOME.test(outcome)) return `[${at.getTime()},${stepId},"${outcome}"]\n`;
  // The next most frequent case: a wait, which occurs whenever a trip pauses.
  const until = outcome === 'parked' && !values ? facts?.['resume_at'] : undefined;
  if (typeof until === 'string' && TIMESTAMP.test(until))
    return `[${at.getTime()},${stepId},"parked",{"resume_at":"${until}"}]\n`;
  const start = [at.getTime(), stepId, truncate(outcome)];
  // If lists are too long, their first items matter most.
  for (const maxItems of [MAX_MEMBERS, 1]) {
    const details = [
      ...(facts || values ? [truncate(facts ?? {}, maxItems)] : []),
      ...(values ? [truncate(values, maxItems)] : []),
    ];
    const text = encodeLine([...start, ...details]);
    if (text.length < MAX_LINE_CHARS) return text;
  }
  const text = encodeLine(start);
  if (text.length < MAX_LINE_CHARS) return text;
  return `[${at.getTime()},${stepId},"${GAP}"]\n`;
}

function encodeLine(line: readonly unknown[]): string {
  return `${JSON.stringify(line).replace(BEYOND_ASCII, escapeCharacter)}\n`;
}

const PLAIN_OUTCOME = /^[\w ]{1,40}$/;
const TIMESTAMP = /^[\dTZ:.+-]{1,40}$/;
const BEYOND_ASCII = /[^\x20-\x7e]/g;

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/**
 * The value within the limits and acceptable to PostgreSQL: no NUL, no lone surrogate.
 * @param maxItems items of each list.
 */
function truncate(value: unknown, maxItems = MAX_MEMBERS, depth = 0): unknown {
  if (typeof value === 'string') return truncateText(value);
  if (value instanceof ExactNumber) return truncateText(value.text);
  if (typeof value !== 'object' || value === null)
    return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;
  if (depth === 3) return truncateText(JSON.stringify(value) ?? '');
  if (Array.isArray(value)) return value.slice(0, maxItems).map((one) => truncate(one, maxItems, depth + 1));
  const members = Object.entries(value);
  // Usually there is nothing to shorten.
  if (!('toJSON' in value) && members.length <= MAX_MEMBERS && members.every(isWithinLimits)) return value;
  const retained = members.slice(0, MAX_MEMBERS);
  return Object.fromEntries(
    retained.map(([name, one]) => [truncateText(name), truncate(one, maxItems, depth + 1)]),
  );
}

/** Whether a member needs no change: it contains no others, and no text that has to be cut. */
function isWithinLimits([name, value]: readonly [string, unknown]): boolean {
  if (truncateText(name) !== name) return false;
  if (typeof value === 'string') return truncateText(value) === value;
  return typeof value === 'boolean' || value === null || Number.isFinite(value);
}

function truncateText(text: string): string {
  const retained = text.length > MAX_TEXT_CHARS ? `${text.slice(0, MAX_TEXT_CHARS - 1)}…` : text;
  return retained.replaceAll('\0', '').toWellFormed();
}

function withoutMiddle(lines: readonly string[]): string {
  const half = MAX_DECISION_CHARS / 2 - GAP_LINE.length;
  const [first, last]: [string[], string[]] = [[], []];
  for (let size = 0, index = 0; size + (lines[index]?.length ?? 0) <= half; index++) {
    size += lines[index]?.length ?? 0;
    first.push(lines[index] ?? '');
  }
  for (let size = 0, index = lines.length - 1; size + (lines[index]?.length ?? 0) <= half; index--) {
    size += lines[index]?.length ?? 0;
    last.unshift(lines[index] ?? '');
  }
  return [...first, `${GAP_LINE}\n`, ...last].join('');
}

function parseLine(line: string): HistoryEntry {
  const [at, stepId, outcome, facts, values] = JSON.parse(line) as [
    number,
    number,
    HistoryOutcome,
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
