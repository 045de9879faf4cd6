/** Evaluates the measurements: medians, ratios against the reference of the same run, verdicts, and the table. */
import type { Effort } from './processor-time.js';

export type Target = { readonly atLeast: number } | { readonly atMost: number };

export interface Comparison {
  readonly path: string;
  readonly unit: string;
  /** One value per round, in the order of measurement. */
  readonly reference: readonly number[];
  readonly ours: readonly number[];
  /** The required ratio ours / reference. */
  readonly target: Target;
  /** Description of the reference. */
  readonly against: string;
  /** Processor time of each round, where it is known; counted per `unit` without its time. */
  readonly effort?: { readonly reference: readonly Effort[]; readonly ours: readonly Effort[] };
}

export interface Verdict extends Omit<Comparison, 'effort'> {
  readonly referenceMedian: number;
  readonly oursMedian: number;
  readonly ratio: number;
  readonly pass: boolean;
  /** Processor seconds per 1,000 units, by process. */
  readonly cost?: {
    readonly reference: Readonly<Record<string, number>>;
    readonly ours: Readonly<Record<string, number>>;
  };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/**
 * @param sorted in ascending order.
 * @param share from 0 to 1.
 */
export function percentile(sorted: ArrayLike<number>, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Average milliseconds of `times` sequential runs of `work`, after one warm-up run that does not count. */
export async function milliseconds(times: number, work: () => Promise<void>): Promise<number> {
  await work();
  const begun = performance.now();
  for (let i = 0; i < times; i++) await work();
  return (performance.now() - begun) / times;
}

/** Compares the medians of a reference and of the service. */
export function judge(comparison: Comparison): Verdict {
  const referenceMedian = median(comparison.reference);
  const oursMedian = median(comparison.ours);
  const ratio = oursMedian / referenceMedian;
  const { target } = comparison;
  const pass = 'atLeast' in target ? ratio >= target.atLeast : ratio <= target.atMost;
  const { effort, ...figures } = comparison;
  const cost = effort && { reference: perThousand(effort.reference), ours: perThousand(effort.ours) };
  return { ...figures, referenceMedian, oursMedian, ratio, pass, ...(cost ? { cost } : {}) };
}

/** Processor seconds per 1,000 units: the medians of the rounds, by process and in total. */
function perThousand(efforts: readonly Effort[]): Readonly<Record<string, number>> {
  const names = Object.keys(efforts[0]?.seconds ?? {});
  const of = (seconds: (effort: Effort) => number): number =>
    median(efforts.map((effort) => (seconds(effort) * 1_000) / effort.units));
  const all = (effort: Effort): number => Object.values(effort.seconds).reduce((sum, used) => sum + used, 0);
  return {
    ...Object.fromEntries(names.map((name) => [name, of(({ seconds }) => seconds[name] ?? 0)])),
    ...(names.length > 1 ? { together: of(all) } : {}),
  };
}

/** The verdicts as an aligned table, each with the values of its rounds below it. */
export function table(verdicts: readonly Verdict[]): string {
  const heads = ['path', 'reference', 'ours', 'ratio', 'target', ''];
  const rows = verdicts.map((verdict) => [
    verdict.path,
    `${shown(verdict.referenceMedian)} ${verdict.unit}`,
    `${shown(verdict.oursMedian)} ${verdict.unit}`,
    verdict.ratio.toFixed(2),
    'atLeast' in verdict.target ? `≥ ${verdict.target.atLeast}` : `≤ ${verdict.target.atMost}`,
    verdict.pass ? 'PASS' : 'FAIL',
  ]);
  const widths = heads.map((head, column) =>
    Math.max(...[heads, ...rows].map((row) => row[column]?.length ?? head.length)),
  );
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ');
  const list = (values: readonly number[]): string => values.map(shown).join(', ');
  return [
    line(heads),
    ...verdicts.flatMap((verdict, index) => [
      line(rows[index] ?? []),
      `    against ${verdict.against}; rounds: reference ${list(verdict.reference)} · ours ${list(verdict.ours)}`,
      ...(verdict.cost ? [`    ${costLine(verdict.unit, verdict.cost)}`] : []),
    ]),
  ].join('\n');
}

function costLine(unit: string, { reference, ours }: NonNullable<Verdict['cost']>): string {
  const list = (costs: Readonly<Record<string, number>>): string =>
    Object.entries(costs)
      .map(([name, seconds]) => `${name} ${seconds.toFixed(4)}`)
      .join(', ');
  const whole = (costs: Readonly<Record<string, number>>): number =>
    costs['together'] ?? Object.values(costs)[0] ?? Number.NaN;
  const ratio = whole(reference) > 0 ? ` (${(whole(ours) / whole(reference)).toFixed(2)} ×)` : '';
  return `processor seconds per 1,000 ${unit.split('/')[0]}: reference ${list(reference)} · ours ${list(ours)}${ratio}`;
}

/** A number with a sensible number of digits. */
export function shown(value: number): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
