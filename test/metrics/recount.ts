/** Answers a metric query from the individual facts in memory. The query engine must return the same result. */
import type {
  DimensionValue,
  MetricFilter,
  MetricQuery,
} from '../../src/modules/metrics/domain/metric-query.js';
import type { TenantScope } from '../../src/kernel/tenant-scope.js';
import { DAY, HOUR } from '../support/clock.js';
import type { Fact, Fixture } from './metric-fixture.js';

const TIMES = ['date', 'week', 'month', 'hour', 'day_of_week'];

export interface Recount {
  /** Rows by the values of the dimensions, as JSON. */
  readonly rows: ReadonlyMap<string, Readonly<Record<string, number | null>>>;
  readonly totals: Readonly<Record<string, number | null>>;
}

export function timeValue(key: string, at: number): string | number {
  const date = new Date(at);
  const day = date.toISOString().slice(0, 10);
  if (key === 'date') return day;
  if (key === 'month') return day.slice(0, 7);
  if (key === 'hour') return date.getUTCHours();
  const weekday = (date.getUTCDay() + 6) % 7;
  if (key === 'day_of_week') return weekday;
  return new Date(at - weekday * DAY).toISOString().slice(0, 10);
}

export function recount(fixture: Fixture, scope: TenantScope, question: MetricQuery): Recount {
  const { range, dimensions, filters, metrics } = question;
  const [from, to] = [range.from.getTime(), range.to.getTime()];
  const isLevel = metrics.includes('total');
  const mine = factsOf(fixture, question).filter(
    (fact) => fact.scope.workspaceId === scope.workspaceId && fact.scope.environment === scope.environment,
  );
  const isStanding = (fact: Fact): boolean => 'flows' in fact.counts;
  const isWithin = (fact: Fact): boolean => {
    if (isStanding(fact)) return true;
    if (!fact.isGone) return fact.at >= from && fact.at <= to;
    const hour = Math.floor(fact.at / HOUR) * HOUR;
    return hour >= from && hour + HOUR - 1 <= to;
  };
  const ofTime = filters.filter(({ field }) => TIMES.includes(field));
  const others = filters.filter(({ field }) => !TIMES.includes(field));
  const passes = (fact: Fact, some: readonly MetricFilter[]): boolean =>
    some.every((filter) => passesOne(fact, filter));
  const kept = mine.filter((fact) => passes(fact, others) && fact.at <= to);
  const shown = kept.filter((fact) => isWithin(fact) && passes(fact, ofTime));

  const rows = new Map<string, Record<string, number | null>>();
  const keysOf = (fact: Fact): string[] =>
    dimensions
      .reduce<DimensionValue[][]>(
        (found, key) =>
          found.flatMap((before) => valuesOf(fact, key, filters).map((value) => [...before, value])),
        [[]],
      )
      .map((values) => JSON.stringify(values));
  const groups = new Map<string, Fact[]>();
  for (const fact of shown)
    for (const key of keysOf(fact)) groups.set(key, [...(groups.get(key) ?? []), fact]);

  const times = dimensions.filter((key) => TIMES.includes(key));
  const periods = new Set<string>();
  if (times.length > 0)
    for (let hour = Math.floor(from / HOUR) * HOUR; hour <= to; hour += HOUR)
      if (passes({ at: hour } as Fact, ofTime))
        periods.add(JSON.stringify(times.map((key) => timeValue(key, hour))));

  const timesIn = (key: string): string => {
    const values = JSON.parse(key) as DimensionValue[];
    return JSON.stringify(dimensions.flatMap((name, index) => (TIMES.includes(name) ? [values[index]] : [])));
  };
  const endOf = (period: string): number => {
    let end = from;
    for (let hour = Math.floor(from / HOUR) * HOUR; hour <= to; hour += HOUR)
      if (JSON.stringify(times.map((key) => timeValue(key, hour))) === period) end = hour + HOUR - 1;
    return Math.min(end, to);
  };

  if (isLevel && dimensions.length > 0) {
    // A group that has facts in any period gets a row in every period, unless all its values are zero.
    const others_ = dimensions.filter((key) => !TIMES.includes(key));
    const people = new Map<string, Fact[]>();
    for (const fact of kept)
      for (const key of keysOf({ ...fact, at: from })) {
        const values = JSON.parse(key) as DimensionValue[];
        const group = JSON.stringify(
          dimensions.flatMap((name, i) => (others_.includes(name) ? [values[i]] : [])),
        );
        people.set(group, [...(people.get(group) ?? []), fact]);
      }
    if (others_.length === 0 && people.size === 0) people.set('[]', []);
    for (const period of times.length === 0 ? ['[]'] : periods) {
      const end = times.length === 0 ? to : endOf(period);
      for (const [group, facts] of people) {
        const key = merged(dimensions, period, group);
        const level = facts
          .filter(({ at }) => at <= end)
          .reduce((sum, { counts }) => sum + (counts['growth'] ?? 0), 0);
        const figures = figuresOf(question, groups.get(key) ?? [], level);
        const isSomething = [...(groups.get(key) ?? [])].some(({ counts }) =>
          countKeys(question).some((name) => (counts[name] ?? 0) !== 0),
        );
        if (level !== 0 || isSomething || others_.length === 0) rows.set(key, figures);
      }
    }
  } else
    for (const [key, facts] of groups) {
      if (question.source === 'contacts' || question.source === 'flows') {
        const isSomething = facts.some(({ counts }) =>
          countKeys(question).some((name) => (counts[name] ?? 0) !== 0),
        );
        if (!isSomething) continue;
      }
      rows.set(key, figuresOf(question, facts, 0));
    }

  const present = new Set([...rows.keys()].map(timesIn));
  if (times.length > 0)
    for (const period of periods)
      if (!present.has(period))
        rows.set(
          merged(
            dimensions,
            period,
            JSON.stringify(dimensions.filter((key) => !TIMES.includes(key)).map(() => null)),
          ),
          Object.fromEntries(metrics.map((key) => [key, 0])),
        );
  const everything = kept.reduce((sum, { counts }) => sum + (counts['growth'] ?? 0), 0);
  return { rows, totals: figuresOf(question, shown, everything) };
}

function factsOf(fixture: Fixture, { source }: MetricQuery): readonly Fact[] {
  const facts = {
    email_logs: fixture.emails,
    flow_trips: fixture.trips,
    events: fixture.events,
    contacts: fixture.contacts,
    flows: fixture.flows,
  };
  return facts[source];
}

function merged(dimensions: readonly string[], period: string, group: string): string {
  const times = JSON.parse(period) as unknown[];
  const others = JSON.parse(group) as unknown[];
  return JSON.stringify(dimensions.map((key) => (TIMES.includes(key) ? times.shift() : others.shift())));
}

function valuesOf(fact: Fact, key: string, filters: readonly MetricFilter[]): DimensionValue[] {
  if (TIMES.includes(key)) return [timeValue(key, fact.at)];
  const value = fact.values[key];
  if (!Array.isArray(value)) return [value as DimensionValue];
  if (value.length === 0)
    return filters.some((filter) => filter.field === key && !isNegative(filter)) ? [] : [null];
  return (value as string[]).filter((item) =>
    filters.every((filter) => filter.field !== key || isNegative(filter) || matches(item, filter)),
  );
}

const isNegative = ({ operator }: MetricFilter): boolean => operator.startsWith('not_');

function passesOne(fact: Fact, filter: MetricFilter): boolean {
  const value = TIMES.includes(filter.field) ? timeValue(filter.field, fact.at) : fact.values[filter.field];
  const items = Array.isArray(value) ? (value as unknown[]) : [value];
  const found = items.some((item) => matches(item, filter));
  return isNegative(filter) ? !found : found;
}

function matches(item: unknown, { operator, value }: MetricFilter): boolean {
  if (item === null || item === undefined) return false;
  const plain = typeof item === 'object' ? (item as { id: string | null }).id : item;
  if (operator === 'contains') return (plain as string).toLowerCase().includes(String(value).toLowerCase());
  return (Array.isArray(value) ? (value as unknown[]) : [value]).includes(plain);
}

/** The measure that must be known for an email metric. */
const MEASURES: Readonly<Record<string, string>> = {
  delivered: 'deliveries',
  opened: 'opens',
  open_rate: 'opens',
  clicked: 'clicks',
  click_rate: 'clicks',
  click_to_open_rate: 'opens_and_clicks',
};

/** The counters that a query needs, as the catalogue describes them. */
function countKeys({ metrics }: MetricQuery): string[] {
  return metrics.flatMap((key) => (key === 'net_growth' ? ['created', 'unsubscribed', 'deleted'] : [key]));
}

function figuresOf(
  { metrics, source }: MetricQuery,
  facts: readonly Fact[],
  level: number,
): Record<string, number | null> {
  const sumOf = (key: string, some: readonly Fact[]): number =>
    some.reduce((sum, { counts }) => sum + (counts[key] ?? 0), 0);
  const of = (key: string): number => sumOf(key, facts);
  const known = (by: string): readonly Fact[] => facts.filter(({ measures }) => measures?.has(by) === true);
  const has = (some: readonly Fact[], key: string): number =>
    sumOf('sent', some) - (key === 'delivered' ? 0 : sumOf('bounced', some));
  const isUnmeasured = (key: string): boolean => {
    const by = source === 'email_logs' ? MEASURES[key] : undefined;
    return by !== undefined && has(facts, key) > 0 && has(known(by), key) <= 0;
  };
  const rate = (part: number, whole: number): number =>
    whole > 0 ? Math.round((part / whole) * 10_000) / 100 : 0;
  const arrived = (): number => of('sent') - of('bounced');
  const special: Readonly<Record<string, () => number>> = {
    open_rate: () => rate(sumOf('opened', known('opens')), has(known('opens'), 'opened')),
    click_rate: () => rate(sumOf('clicked', known('clicks')), has(known('clicks'), 'clicked')),
    click_to_open_rate: () =>
      rate(sumOf('clicked', known('opens_and_clicks')), sumOf('opened', known('opens_and_clicks'))),
    bounce_rate: () => rate(of('bounced'), of('sent')),
    complaint_rate: () => rate(of('complained'), arrived()),
    unsubscribe_rate: () => rate(of('unsubscribed'), arrived()),
    completion_rate: () => rate(of('completed'), of('entered')),
    conversion_rate: () => rate(of('conversions'), of('entered')),
    net_growth: () => of('created') - of('unsubscribed') - of('deleted'),
    total: () => level,
    median_hours: () => median(facts.flatMap(({ hours }) => (hours === undefined ? [] : [hours]))),
  };
  return Object.fromEntries(
    metrics.map((key) => {
      if (isUnmeasured(key)) return [key, null];
      if (source === 'events' && key === 'contacts')
        return [key, new Set(facts.map(({ person }) => person)).size];
      return [key, special[key]?.() ?? of(key)];
    }),
  );
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = (sorted.length - 1) / 2;
  const value = ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2;
  return Math.round(value * 100) / 100;
}
