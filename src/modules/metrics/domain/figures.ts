/** From counts to the metrics that are made of them. */
import { metricOf } from './catalogue.js';
import type { Balance, Source } from './catalogue/source.js';
import { percentage } from './rates.js';

/** What was counted of one row, by the keys of metrics. */
export type Counts = Readonly<Record<string, number>>;

/** The metrics that are asked for, of what was counted. What is neither made of others nor counted is 0. */
export function figuresOf(
  source: Source,
  metrics: readonly string[],
  counts: Counts,
): Record<string, number> {
  return Object.fromEntries(
    metrics.map((key) => {
      const { computation } = metricOf(source, key);
      if (computation.kind === 'rate')
        return [key, percentage(counts[computation.part] ?? 0, balance(computation.whole, counts))];
      if (computation.kind === 'balance') return [key, balance(computation.of, counts)];
      return [key, counts[key] ?? 0];
    }),
  );
}

function balance({ plus, minus = [] }: Balance, counts: Counts): number {
  const sum = (keys: readonly string[]): number => keys.reduce((total, key) => total + (counts[key] ?? 0), 0);
  return sum(plus) - sum(minus);
}
