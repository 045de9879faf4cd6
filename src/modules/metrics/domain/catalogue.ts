/**
 * The catalogue of metrics. The fields endpoint, validation, SQL, files and the documentation page are all derived from
 * it.
 */
import { CONTACT_SOURCE } from './catalogue/contact-source.js';
import { EMAIL_SOURCE } from './catalogue/email-source.js';
import { EVENT_SOURCE } from './catalogue/event-source.js';
import { FLOW_SOURCE } from './catalogue/flow-source.js';
import type { Balance, Dimension, Measure, Metric, Source } from './catalogue/source.js';
import { TRIP_SOURCE } from './catalogue/trip-source.js';
import type { DataSource } from './metric-query.js';

export const CATALOGUE: Readonly<Record<DataSource, Source>> = Object.fromEntries(
  [EMAIL_SOURCE, FLOW_SOURCE, TRIP_SOURCE, CONTACT_SOURCE, EVENT_SOURCE].map((source) => [
    source.key,
    source,
  ]),
) as Record<DataSource, Source>;

export function sourceOf(key: string): Source | undefined {
  return Object.hasOwn(CATALOGUE, key) ? CATALOGUE[key as DataSource] : undefined;
}

/** @throws TypeError for a key that the source does not have: queries are validated before. */
export function metricOf(source: Source, key: string): Metric {
  return findByKey(source.metrics, source, key);
}

/** @throws TypeError as `metricOf`. */
export function dimensionOf(source: Source, key: string): Dimension {
  return findByKey(source.dimensions, source, key);
}

function findByKey<Item extends { readonly key: string }>(
  items: readonly Item[],
  source: Source,
  key: string,
): Item {
  const item = items.find((one) => one.key === key);
  if (!item) throw new TypeError(`${source.key} has no ${key}.`);
  return item;
}

const MEASURED_SEPARATOR = '__';

/** Names the part of a count that covers only messages with this kind of measurement. */
export function measuredCount(key: string, by: Measure): string {
  return `${key}${MEASURED_SEPARATOR}${by}`;
}

/** Splits a name into its count, and the measurement that it is restricted to. */
export function parseCount(name: string): { readonly key: string; readonly by: Measure | undefined } {
  const [key = name, by] = name.split(MEASURED_SEPARATOR);
  return { key, by: by as Measure | undefined };
}

export function measuredBalance({ plus, minus = [] }: Balance, by: Measure): Balance {
  const each = (key: string): string => measuredCount(key, by);
  return { plus: plus.map(each), minus: minus.map(each) };
}

/** The numerator and denominator of a rate; for a rate that needs measurement, only of measured messages. */
export function rateParts({ computation, measured }: Metric): {
  readonly part: string;
  readonly whole: Balance;
} {
  if (computation.kind !== 'rate') throw new TypeError('The metric is not a rate.');
  const { part, whole } = computation;
  if (!measured) return { part, whole };
  return { part: measuredCount(part, measured.by), whole: measuredBalance(whole, measured.by) };
}

/** Returns the distinct counts that metrics are computed from: themselves, or the inputs of their formula. */
export function countsOf(source: Source, metrics: readonly string[]): string[] {
  const keysOf = ({ plus, minus = [] }: Balance): string[] => [...plus, ...minus];
  const needed = metrics.flatMap((key) => {
    const metric = metricOf(source, key);
    const { computation, measured } = metric;
    const measuredKeys = measured
      ? [...keysOf(measured.of), ...keysOf(measuredBalance(measured.of, measured.by))]
      : [];
    switch (computation.kind) {
      case 'count':
        return [key, ...measuredKeys];
      case 'balance':
        return keysOf(computation.of);
      case 'rate': {
        const { part, whole } = rateParts(metric);
        return [part, ...keysOf(whole), ...measuredKeys];
      }
      default:
        return [];
    }
  });
  return [...new Set(needed)];
}
