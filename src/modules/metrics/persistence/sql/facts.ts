/** The fact rows of a source: its rollups, pending deltas, and source rows outside whole hours. */
import type { PeriodParts, Span } from '../../domain/rollup.js';
import type { Parameters } from './parameters.js';

/** The columns and counters of the facts that a statement needs. */
export interface NeededColumns {
  readonly columns: ReadonlySet<string>;
  readonly counters: ReadonlySet<string>;
}

/** A rollup, named like its tables. */
export interface RollupSource {
  readonly name: string;
  /** The levels of days and hours for a need. */
  readonly levels: (need: NeededColumns) => { readonly day: number; readonly hour: number };
}

/** Source rows that serve as facts. */
export interface SourceRows {
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
  readonly deletedRows?: {
    readonly from: string;
    readonly at: string;
    readonly columns: Readonly<Record<string, string>>;
    readonly x: string;
  };
}

export interface SourceSql {
  /** Undefined if only source rows can answer. */
  readonly rollup: RollupSource | undefined;
  readonly rows: readonly SourceRows[];
  readonly dimensions: Readonly<Record<string, DimensionSql>>;
  readonly joins: Readonly<Record<string, string>>;
  /** A counter that decides whether there is anything to show; by default, the requested metrics decide. */
  readonly existenceCounter?: string;
  readonly extra?: Extra;
  /** Facts about the current state, which do not depend on a period. */
  readonly currentState?: Omit<SourceRows, 'from' | 'at' | 'where'> & { readonly from: string };
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
  need: NeededColumns,
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
          `SELECT ${moment(kind.at)} AS at${selectFromRows(kind, need)} FROM ${kind.from(bounded)} WHERE ${within(kind, bounded)}`,
      );
    });
  if (!source.rollup) return rows(mergeSpans([...days, ...hours, ...rest]));
  const { name, levels } = source.rollup;
  const { day, hour } = levels(need);
  const rollupFacts = (table: string, spans: readonly Span[], only = ''): string[] =>
    spans.map((span) => {
      const { from, until } = bound(span);
      return `SELECT ${moment('r.at')} AS at${selectFromRollup(source, need)} FROM {${name}_${table}} r WHERE ${only}r.at >= ${from} AND r.at < ${until}`;
    });
  return [
    ...rollupFacts('rollups', days, `r.level = ${day} AND `),
    ...rollupFacts('rollups', hours, `r.level = ${hour} AND `),
    ...rollupFacts('changes', mergeSpans([...days, ...hours])),
    ...rows(rest),
  ];
}

/** The facts about the current state, in the same columns. */
export function currentFactsOf({ currentState }: SourceSql, need: NeededColumns): string[] {
  return currentState
    ? [`SELECT NULL::timestamptz AS at${selectFromRows(currentState, need)} FROM ${currentState.from}`]
    : [];
}

/** Selects columns and counters of source rows; missing ones are null and 0. */
function selectFromRows(
  { columns, counters }: Pick<SourceRows, 'columns' | 'counters'>,
  need: NeededColumns,
): string {
  return (
    [...need.columns].map((name) => `, ${columns[name] ?? 'NULL'} AS ${name}`).join('') +
    [...need.counters].map((name) => `, (${counters[name] ?? '0'})::bigint AS n_${name}`).join('')
  );
}

/** Selects columns and counters of rollups, which have the same names as those of the source rows. */
function selectFromRollup({ rows }: SourceSql, need: NeededColumns): string {
  const hasCounter = (name: string): boolean => rows.some(({ counters }) => Object.hasOwn(counters, name));
  return (
    [...need.columns].map((name) => `, r.${name}`).join('') +
    [...need.counters]
      .map((name) => `, ${hasCounter(name) ? `r.${name}` : '0'}::bigint AS n_${name}`)
      .join('')
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
  const spans = mergeSpans([...days, ...hours, ...rest]);
  const sourceFacts = spans.flatMap((span) =>
    source.rows.slice(0, 1).map((kind) => {
      const bounded = bound(span);
      const selected = [...columns].map((name) => `, ${kind.columns[name]} AS ${name}`).join('');
      const only = extra.where === undefined ? '' : ` AND ${extra.where}`;
      return `SELECT ${kind.at} AS at${selected}, ${extra.x} AS x FROM ${kind.from(bounded)} WHERE ${within(kind, bounded)}${only}`;
    }),
  );
  const { deletedRows } = extra;
  if (!deletedRows) return sourceFacts;
  return [
    ...sourceFacts,
    ...mergeSpans([...days, ...hours]).map((span) => {
      const { from, until } = bound(span);
      const selected = [...columns].map((name) => `, ${deletedRows.columns[name]} AS ${name}`).join('');
      return `SELECT ${deletedRows.at} AS at${selected}, ${deletedRows.x} AS x FROM ${deletedRows.from} WHERE ${deletedRows.at} >= ${from} AND ${deletedRows.at} < ${until}`;
    }),
  ];
}

/** Selects individual source rows of a period, with their details. */
export function sampleFactsOf(
  { rows, currentState }: SourceSql,
  need: NeededColumns,
  span: Span,
  parameters: Parameters,
): string[] {
  const bounded = bounds(parameters)(span);
  const select = (kind: Pick<SourceRows, 'id' | 'details' | 'columns' | 'counters'>, at: string): string =>
    `SELECT ${at} AS at, ${kind.id} AS id, ${kind.details} AS details${selectFromRows(kind, need)}`;
  return [
    ...rows.map(
      (kind) => `${select(kind, kind.at)} FROM ${kind.from(bounded)} WHERE ${within(kind, bounded)}`,
    ),
    ...(currentState ? [`${select(currentState, 'NULL::timestamptz')} FROM ${currentState.from}`] : []),
  ];
}

function within(
  { at, where }: SourceRows,
  { from, until }: Readonly<Record<'from' | 'until', string>>,
): string {
  return `${where === undefined ? '' : `${where} AND `}${at} >= ${from} AND ${at} < ${until}`;
}

/** Merges adjacent spans. */
export function mergeSpans(spans: readonly Span[]): Span[] {
  const sorted = [...spans].sort((one, other) => one.from.getTime() - other.from.getTime());
  return sorted.reduce<Span[]>((merged, span) => {
    const last = merged.at(-1);
    if (last?.until.getTime() !== span.from.getTime()) return [...merged, span];
    return [...merged.slice(0, -1), { from: last.from, until: span.until }];
  }, []);
}
