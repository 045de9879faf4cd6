/** Computes metrics from counts. */
import { measuredBalance, metricOf, rateParts } from './catalogue.js';
import type { Balance, Source } from './catalogue/source.js';
import { isUnmeasured, type Measured } from './measured.js';
import { percentage } from './rates.js';

/** The counts of one row, by metric key. */
export type Counts = Readonly<Record<string, number>>;

/** Computes the requested metrics from counts; null if nothing was measured. A plain count that is missing is 0. */
export function computeMetrics(
  source: Source,
  metrics: readonly string[],
  counts: Counts,
): Record<string, number | null> {
  const measurements = measurementsOf(source, metrics, counts);
  return Object.fromEntries(
    metrics.map((key) => {
      if (isUnmeasured(measurements[key])) return [key, null];
      const metric = metricOf(source, key);
      const { computation } = metric;
      if (computation.kind === 'rate') {
        const { part, whole } = rateParts(metric);
        return [key, percentage(counts[part] ?? 0, balance(whole, counts))];
      }
      if (computation.kind === 'balance') return [key, balance(computation.of, counts)];
      return [key, counts[key] ?? 0];
    }),
  );
}

/** For metrics that were only partly measured, how much was. */
export function measurementsOf(
  source: Source,
  metrics: readonly string[],
  counts: Counts,
): Record<string, Measured> {
  return Object.fromEntries(
    metrics.flatMap((key) => {
      const { measured } = metricOf(source, key);
      if (!measured) return [];
      const of = balance(measured.of, counts);
      const measuredMessages = balance(measuredBalance(measured.of, measured.by), counts);
      if (measuredMessages >= of) return [];
      const counted = measuredMessages <= 0 ? (counts[key] ?? 0) : 0;
      return [[key, { measured: measuredMessages, of, ...(counted > 0 ? { counted } : {}) }]];
    }),
  );
}

function balance({ plus, minus = [] }: Balance, counts: Counts): number {
  const sum = (keys: readonly string[]): number => keys.reduce((total, key) => total + (counts[key] ?? 0), 0);
  return sum(plus) - sum(minus);
}
