/** The fact rows of a source: its rollups, pending deltas, and source rows outside whole hours. */
import type { PeriodParts, Span } from '../../domain/rollup.js';
import type { Parameters } from './parameters.js';

/** The columns and counters of the facts that a statement needs. */
export interface Need {
  readonly columns: ReadonlySet<string>;
  readonly counters: ReadonlySet<string>;
}

/** A rollup, named like its tables. */
export interface Sums {
  readonly name: string;
  /** The levels of days and hours for a need. */
  readonly levels: (need: Need) => { readonly day: number; readonly hour: number };
}

/** Source rows that serve as facts. */
export interface Rows {
  /** The FROM clause for the rows of a span. */
  readonly from: (span: Readonly<Record<'from' | 'until', string>>) => string;
  /** The timestamp of a row. */
  readonly at: string;
  /** The condition for rows that are facts. */
  readonly where?: string;
  readonly columns: Readonly<Record<string, string>>;
  readonly counters: Readonly<Record<string, string>>;
  /** The id of the source record, and the details shown for it, as jsonb. */
  readonly id: string;
  readonly details: string;
}

export interface DimensionSql {
  /** An expression over the facts `f` and their joins. */
  readonly value: string;
  readonly columns: readonly string[];
  /** Names of the joins that it needs. */
  readonly joins?: readonly string[];
  /** Whether the value is a list, each item of which gets a row. */
  readonly isList?: true;
}

/** A metric that no rollup can answer, over rows that have a column `x` besides those of the facts. */
export interface Extra {
  readonly metric: string;
  readonly type: string;
  /** The expression of `x` over the source's first kind of rows; other kinds are not read. */
  readonly x: string;
  readonly where?: string;
  /** Aggregates all `x` of a row. */
  readonly aggregate: (x: string) => string;
  /** Rows kept by the hour for deleted source rows. Read in addition to source rows, for whole hours only. */
  readonly gone?: {
    readonly from: string;
    readonly at: string;
    readonly columns: Readonly<Record<string, string>>;
    readonly x: string;
  };
}

export interface SourceSql {
  /** Undefined if only source rows can answer. */
  readonly sums: Sums | undefined;
  readonly rows: readonly Rows[];
  readonly dimensions: Readonly<Record<string, DimensionSql>>;
  readonly joins: Readonly<Record<string, string>>;
  /** A counter that decides whether there is anything to show; by default, the requested metrics decide. */
  readonly presence?: string;
  readonly extra?: Extra;
  /** Facts about the current state, which do not depend on a period. */
  readonly standing?: Omit<Rows, 'from' | 'at' | 'where'> & { readonly from: string };
}

type Bound = (span: Span) => Readonly<Record<'from' | 'until', string>>;

function bounds(parameters: Parameters): Bound {
  return ({ from, until }) => ({ from: parameters.moment(from), until: parameters.moment(until) });
}

/**
 * The facts of a period, with the columns `at`, those of the need, and `n_` plus the name of each counter.
 * @param at `own` keeps each fact's timestamp; `before` makes it null, for facts before the period that is shown.
 */
export function factsOf(
  source: SourceSql,
  need: Need,
  { days, hours, rest }: PeriodParts,
  parameters: Parameters,
  at: 'own' | 'before' = 'own',
): string[] {
  const bound = bounds(parameters);
  const moment = (own: string): string => (at === 'own' ? own : 'NULL::timestamptz');
  const rows = (spans: readonly Span[]): string[] =>
    spans.flatMap((span) => {
      const bounded = bound(span);
      return source.rows.map(
        (kind) =>
          `SELECT ${moment(kind.at)} AS at${read(kind, need)} FROM ${kind.from(bounded)} WHERE ${within(kind, bounded)}`,
      );
    });
  if (!source.sums) return rows(joined([...days, ...hours, ...rest]));
  const { name, levels } = source.sums;
  const { day, hour } = levels(need);
  const sums = (table: string, spans: readonly Span[], only = ''): string[] =>
    spans.map((span) => {
      const { from, until } = bound(span);
      return `SELECT ${moment('r.at')} AS at${summed(source, need)} FROM {${name}_${table}} r WHERE ${only}r.at >= ${from} AND r.at < ${until}`;
    });
  return [
    ...sums('rollups', days, `r.level = ${day} AND `),
    ...sums('rollups', hours, `r.level = ${hour} AND `),
    ...sums('changes', joined([...days, ...hours])),
    ...rows(rest),
  ];
}

/** The facts about the current state, in the same columns. */
export function standingFactsOf({ standing }: SourceSql, need: Need): string[] {
  return standing ? [`SELECT NULL::timestamptz AS at${read(standing, need)} FROM ${standing.from}`] : [];
}

/** Selects columns and counters of source rows; missing ones are null and 0. */
function read({ columns, counters }: Pick<Rows, 'columns' | 'counters'>, need: Need): string {
  return (
    [...need.columns].map((name) => `, ${columns[name] ?? 'NULL'} AS ${name}`).join('') +
    [...need.counters].map((name) => `, (${counters[name] ?? '0'})::bigint AS n_${name}`).join('')
  );
}

/** Selects columns and counters of rollups, which have the same names as those of the source rows. */
function summed({ rows }: SourceSql, need: Need): string {
  const isKept = (name: string): boolean => rows.some(({ counters }) => Object.hasOwn(counters, name));
  return (
    [...need.columns].map((name) => `, r.${name}`).join('') +
    [...need.counters].map((name) => `, ${isKept(name) ? `r.${name}` : '0'}::bigint AS n_${name}`).join('')
  );
}

/** Selects source rows with the column `x` of an extra, and substitutes for deleted rows. */
export function extraFactsOf(
  source: SourceSql,
  extra: Extra,
  columns: ReadonlySet<string>,
  { days, hours, rest }: PeriodParts,
  parameters: Parameters,
): string[] {
  const bound = bounds(parameters);
  const spans = joined([...days, ...hours, ...rest]);
  const own = spans.flatMap((span) =>
    source.rows.slice(0, 1).map((kind) => {
      const bounded = bound(span);
      const named = [...columns].map((name) => `, ${kind.columns[name]} AS ${name}`).join('');
      const only = extra.where === undefined ? '' : ` AND ${extra.where}`;
      return `SELECT ${kind.at} AS at${named}, ${extra.x} AS x FROM ${kind.from(bounded)} WHERE ${within(kind, bounded)}${only}`;
    }),
  );
  const { gone } = extra;
  if (!gone) return own;
  return [
    ...own,
    ...joined([...days, ...hours]).map((span) => {
      const { from, until } = bound(span);
      const named = [...columns].map((name) => `, ${gone.columns[name]} AS ${name}`).join('');
      return `SELECT ${gone.at} AS at${named}, ${gone.x} AS x FROM ${gone.from} WHERE ${gone.at} >= ${from} AND ${gone.at} < ${until}`;
    }),
  ];
}

/** Selects individual source rows of a period, with their details. */
export function sampleFactsOf(
  { rows, standing }: SourceSql,
  need: Need,
  span: Span,
  parameters: Parameters,
): string[] {
  const bounded = bounds(parameters)(span);
  const shown = (kind: Pick<Rows, 'id' | 'details' | 'columns' | 'counters'>, at: string): string =>
    `SELECT ${at} AS at, ${kind.id} AS id, ${kind.details} AS details${read(kind, need)}`;
  return [
    ...rows.map(
      (kind) => `${shown(kind, kind.at)} FROM ${kind.from(bounded)} WHERE ${within(kind, bounded)}`,
    ),
    ...(standing ? [`${shown(standing, 'NULL::timestamptz')} FROM ${standing.from}`] : []),
  ];
}

function within({ at, where }: Rows, { from, until }: Readonly<Record<'from' | 'until', string>>): string {
  return `${where === undefined ? '' : `${where} AND `}${at} >= ${from} AND ${at} < ${until}`;
}

/** Merges adjacent spans. */
export function joined(spans: readonly Span[]): Span[] {
  const sorted = [...spans].sort((one, other) => one.from.getTime() - other.from.getTime());
  return sorted.reduce<Span[]>((found, span) => {
    const last = found.at(-1);
    if (last?.until.getTime() !== span.from.getTime()) return [...found, span];
    return [...found.slice(0, -1), { from: last.from, until: span.until }];
  }, []);
}
