/** All that can be asked of the figures: the fields endpoint, checks, SQL, files and the page of the documentation are made of this. */
import { CONTACT_SOURCE } from './catalogue/contact-source.js';
import { EMAIL_SOURCE } from './catalogue/email-source.js';
import { EVENT_SOURCE } from './catalogue/event-source.js';
import { FLOW_SOURCE } from './catalogue/flow-source.js';
import type { Dimension, Metric, Source } from './catalogue/source.js';
import { TRIP_SOURCE } from './catalogue/trip-source.js';
import type { DataSource } from './question.js';

export const CATALOGUE: Readonly<Record<DataSource, Source>> = Object.fromEntries(
  [EMAIL_SOURCE, FLOW_SOURCE, TRIP_SOURCE, CONTACT_SOURCE, EVENT_SOURCE].map((source) => [
    source.key,
    source,
  ]),
) as Record<DataSource, Source>;

export function sourceOf(key: string): Source | undefined {
  return Object.hasOwn(CATALOGUE, key) ? CATALOGUE[key as DataSource] : undefined;
}

/** @throws TypeError for a key that the source has not: questions are checked before they are asked. */
export function metricOf(source: Source, key: string): Metric {
  return found(source.metrics, source, key);
}

/** @throws TypeError as `metricOf`. */
export function dimensionOf(source: Source, key: string): Dimension {
  return found(source.dimensions, source, key);
}

function found<Item extends { readonly key: string }>(
  items: readonly Item[],
  source: Source,
  key: string,
): Item {
  const item = items.find((one) => one.key === key);
  if (!item) throw new TypeError(`${source.key} has no ${key}.`);
  return item;
}

/** The counts that metrics are made of, each once: themselves, or what they are computed from. */
export function countsOf(source: Source, metrics: readonly string[]): string[] {
  const needed = metrics.flatMap((key) => {
    const { computation } = metricOf(source, key);
    switch (computation.kind) {
      case 'count':
        return [key];
      case 'balance':
        return [...computation.of.plus, ...(computation.of.minus ?? [])];
      case 'rate':
        return [computation.part, ...computation.whole.plus, ...(computation.whole.minus ?? [])];
      default:
        return [];
    }
  });
  return [...new Set(needed)];
}
