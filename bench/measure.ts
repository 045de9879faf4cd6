/** What becomes of the figures: medians, ratios against the reference of the same run, verdicts, the table. */

export type Target = { readonly atLeast: number } | { readonly atMost: number };

export interface Comparison {
  readonly path: string;
  readonly unit: string;
  /** One figure for each round, in the order in which they were taken. */
  readonly reference: readonly number[];
  readonly ours: readonly number[];
  /** What the ratio ours / reference has to be. */
  readonly target: Target;
  /** What the reference is. */
  readonly against: string;
}

export interface Verdict extends Comparison {
  readonly referenceMedian: number;
  readonly oursMedian: number;
  readonly ratio: number;
  readonly pass: boolean;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** @param sorted in ascending order. @param share from 0 to 1. */
export function percentile(sorted: ArrayLike<number>, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Compares the medians of a reference and of ours. */
export function judge(comparison: Comparison): Verdict {
  const referenceMedian = median(comparison.reference);
  const oursMedian = median(comparison.ours);
  const ratio = oursMedian / referenceMedian;
  const { target } = comparison;
  const pass = 'atLeast' in target ? ratio >= target.atLeast : ratio <= target.atMost;
  return { ...comparison, referenceMedian, oursMedian, ratio, pass };
}

/** The verdicts as an aligned table, each with the figures of its rounds below it. */
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
    ]),
  ].join('\n');
}

/** A figure with as many digits as it deserves. */
export function shown(value: number): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
