/**
 * Builds one statement per query: daily and hourly rollups, pending deltas and rows outside whole hours, grouped, with
 * a row for every period, sorted, limited, and the totals of everything. Pure: table names are in braces, values are
 * parameters.
 */
import {
  parseCount,
  countsOf,
  dimensionOf,
  metricOf,
  measuredBalance,
  rateParts,
  sourceOf,
} from '../../domain/catalogue.js';
import type { Balance, Computation, Dimension, Metric, Source } from '../../domain/catalogue/source.js';
import type { DimensionValue, MetricFilter, MetricQuery } from '../../domain/metric-query.js';
import { partsOf, type Span } from '../../domain/rollup.js';
import { EARLIEST_MOMENT } from '../../../../kernel/iso-moment.js';
import { DAY, HOUR } from '../../../../kernel/duration.js';
import { escapeFormulaSql } from '../../../../platform/database/escape-formula.js';
import {
  type DimensionSql,
  extraFactsOf,
  factsOf,
  type NeededColumns,
  sampleFactsOf,
  type SourceSql,
  currentFactsOf,
} from './facts.js';
import { cellSql, filterSql, isNegative, matchSql } from './filter-sql.js';
import { Parameters, type Statement } from './parameters.js';
import { measuredSql, sourceSql } from './source-sql.js';
import { rankOfTime, formatTimeSql, timeOf } from './time-sql.js';

/** One cell of an answer, given by the values of its dimensions. */
export type Cell = Readonly<Record<string, DimensionValue>>;

const DAYS_OF_LONGEST_MONTH = 31;
/** Maximum number of list items over all records of a query. */
const MAX_LIST_ITEMS = 10_000_000;
/** Maximum number of groups times periods, which are sorted before any row is shown. */
const MAX_GROUPS_BY_PERIOD = 1_000_000;

/**
 * Builds the statement of an answer. Its columns: `n`, 0 for the totals, and 1, 2 and so on for rows; `d0`, `d1` … the
 * values of the dimensions, and `i0`, `i1` … the ids of named records; `m_` and the key of each count, level and extra;
 * `rejected`, only if the question has limits: 1 in the row of the totals if there would be too many rows, in which case none
 * are returned, else 0.
 * @param maxRows maximum number of rows.
 */
export function answerSql(query: MetricQuery, maxRows: number, cell: Cell = {}): Statement {
  const plan = planOf(query, cell, maxRows);
  const { parameters } = plan;
  const valueColumns = plan.valueKeys.map((key) => `, r.m_${key}::float8 AS m_${key}`).join('');
  const names = resultColumnsOf(plan, 'q');
  const nothing = plan.dimensions.map((_, index) => `, NULL AS d${index}, NULL AS i${index}`).join('');
  const limits = limitsOf(plan);
  const [rejected, rest] =
    limits.length === 0 ? ['', ''] : [`, ${rejectedIf(limits)} AS refused`, ', 0 AS refused'];
  const totals = `SELECT 0::bigint AS n${nothing}${valueColumns}${rejected} FROM totals r`;
  const sql =
    plan.dimensions.length === 0
      ? `WITH ${ctesOf(plan)} ${totals}`
      : `WITH ${ctesOf(plan)}, ranked AS (SELECT r.*, row_number() OVER (ORDER BY ${orderOf(plan)}) AS n
          FROM dense r ORDER BY n LIMIT ${parameters.add(maxRows, 'int')})
        SELECT q.n${names.columns}${plan.valueKeys.map((key) => `, q.m_${key}::float8 AS m_${key}`).join('')}${rest} FROM ranked q${names.joins}
        UNION ALL ${totals} ORDER BY n`;
  return parameters.statement(sql);
}

/** Builds the statement of a file: all rows, with names for flows, campaigns and templates, and a column per metric. */
export function fileSql(query: MetricQuery): Statement {
  const plan = planOf(query, {}, undefined);
  const { source, parameters } = plan;
  const from = plan.dimensions.length === 0 ? 'totals' : 'dense';
  const fileColumns = fileColumnsOf(plan, 'r');
  const columns = [
    ...fileColumns.columns,
    ...query.metrics.map((key, index) => `${valueOf(source, key, 'r')} AS v${index}`),
  ];
  const order = plan.dimensions.length === 0 ? '' : ` ORDER BY ${orderOf(plan)}`;
  const sql = `WITH ${ctesOf(plan)} SELECT ${columns.join(', ')} FROM ${from} r${fileColumns.joins}${order}`;
  return parameters.statement(sql);
}

/**
 * Builds the statement that checks whether a file would have too many rows, as the column `rejected`; undefined if rows
 * never outnumber the facts. The planner cannot estimate the number of list items or of groups, so both are counted,
 * which takes as long as aggregating the facts, but no temporary space.
 */
export function fileSizeSql(query: MetricQuery): Statement | undefined {
  const plan = planOf(query, {}, undefined);
  const limits = limitsOf(plan);
  if (limits.length === 0) return undefined;
  return plan.parameters.statement(`WITH ${ctesOf(plan)} SELECT ${rejectedIf(limits)} AS refused`);
}

/** Builds the statement for some of the rows that a metric of a cell counts: their ids, timestamps and fields. */
export function sampleSql(query: MetricQuery, metric: string, cell: Cell, maxRows: number): Statement {
  const plan = planOf({ ...query, metrics: [metric], dimensions: Object.keys(cell) }, {}, undefined);
  const { source, parameters } = plan;
  const span: Span = { from: query.range.from, until: new Date(query.range.to.getTime() + 1) };
  const counted = countedBy(source, metricOf(source, metric).computation);
  const need = {
    columns: new Set([...plan.need.columns, ...counted.columns]),
    counters: new Set([...plan.need.counters, ...counted.counters]),
  };
  const facts = sampleFactsOf(plan.read, need, span, parameters).join(' UNION ALL ');
  const conditions = [...plan.filters, ...cellConditions(plan, cell), counted.condition].filter(
    (one) => one !== '',
  );
  const sql = `SELECT f.id, f.at, f.details FROM (${facts}) AS f${plan.joins}${where(conditions)} LIMIT ${parameters.add(maxRows, 'int')}`;
  return parameters.statement(sql);
}

interface PlannedDimension {
  readonly dimension: Dimension;
  readonly sql: DimensionSql;
  /** Its rank among time dimensions; undefined for others. */
  readonly rank: number | undefined;
}

interface Plan {
  readonly query: MetricQuery;
  readonly source: Source;
  readonly read: SourceSql;
  readonly parameters: Parameters;
  readonly dimensions: readonly PlannedDimension[];
  readonly need: NeededColumns;
  /** Whether rows are grouped or filtered by hour of day, so that daily rollups cannot be used. */
  readonly byHour: boolean;
  readonly joins: string;
  /** Conditions on facts. With a level, those on time are only in `timeFilters`, since it also includes earlier facts. */
  readonly filters: readonly string[];
  readonly timeFilters: readonly string[];
  /** Counts, then the level, then the extra: the `m_` columns of all rows. */
  readonly counts: readonly string[];
  readonly level: string | undefined;
  readonly extra: string | undefined;
  readonly valueKeys: readonly string[];
  readonly maxRows: number | undefined;
}

function planOf(query: MetricQuery, cell: Cell, maxRows: number | undefined): Plan {
  const source = sourceOf(query.source);
  if (!source) throw new TypeError(`${query.source} is not a data source.`);
  const parameters = new Parameters();
  const requested = query.dimensions.map((key) => dimensionOf(source, key));
  const fields = [...query.dimensions, ...query.filters.map(({ field }) => field), ...Object.keys(cell)];
  const read = sourceSql(
    query.source,
    fields.filter((key) => rankOfTime(key) === undefined),
  );
  const counts = countsOf(source, query.metrics);
  const ofKind = (kind: Computation['kind']): string | undefined =>
    query.metrics.find((key) => metricOf(source, key).computation.kind === kind);
  const level = ofKind('level');
  const extra = ofKind('people') ?? ofKind('median');
  const used = fields.flatMap((key) => (rankOfTime(key) === undefined ? [sqlOf(read, key)] : []));
  const columns = new Set(used.flatMap((one) => one.columns));
  const counters = new Set<string>(read.existenceCounter === undefined ? [] : [read.existenceCounter]);
  for (const key of counts) {
    const { key: count, by } = parseCount(key);
    const counted = countedBy(source, metricOf(source, count).computation);
    if (by !== undefined) columns.add('tracked');
    for (const name of counted.counters) counters.add(name);
    for (const name of counted.columns) columns.add(name);
  }
  if (level !== undefined) for (const name of ['created', 'deleted', 'revived']) counters.add(name);
  const joins = [...new Set(used.flatMap((one) => one.joins ?? []))];
  const conditions = query.filters.map((filter) => ({
    isTime: rankOfTime(filter.field) !== undefined,
    sql: filterSql(dimensionOf(source, filter.field), filter, sqlOf(read, filter.field), parameters),
  }));
  const cells = Object.entries(cell).map(([key, value]) => ({
    isTime: rankOfTime(key) !== undefined,
    sql: cellSql(dimensionOf(source, key), value, sqlOf(read, key), parameters),
  }));
  const all = [...conditions, ...cells];
  return {
    query,
    source,
    read,
    parameters,
    dimensions: requested.map((dimension) => ({
      dimension,
      sql: sqlOf(read, dimension.key),
      rank: rankOfTime(dimension.key),
    })),
    need: { columns, counters },
    byHour: fields.includes('hour'),
    joins: joins.map((name) => ` ${read.joins[name] ?? ''}`).join(''),
    filters: all.filter(({ isTime }) => level === undefined || !isTime).map(({ sql }) => sql),
    timeFilters: all.filter(({ isTime }) => isTime).map(({ sql }) => sql),
    counts,
    level,
    extra,
    valueKeys: [...counts, ...(level === undefined ? [] : [level]), ...(extra === undefined ? [] : [extra])],
    maxRows,
  };
}

function cellConditions({ source, read, parameters }: Plan, cell: Cell): string[] {
  return Object.entries(cell).map(([key, value]) =>
    cellSql(dimensionOf(source, key), value, sqlOf(read, key), parameters),
  );
}

function sqlOf(read: SourceSql, key: string): DimensionSql {
  if (rankOfTime(key) !== undefined) return { value: timeOf(key, 'f.at'), columns: [] };
  const sql = read.dimensions[key];
  if (!sql) throw new TypeError(`${key} is not read.`);
  return sql;
}

/** The counters and columns that a metric needs, and the facts it counts. */
function countedBy(
  source: Source,
  computation: Computation,
): { readonly counters: readonly string[]; readonly columns: readonly string[]; readonly condition: string } {
  switch (computation.kind) {
    case 'count': {
      const { counter, statuses } = computation;
      const only = statusSql(statuses);
      return {
        counters: [counter],
        columns: statuses ? ['status'] : [],
        condition: `f.n_${counter} <> 0${only === '' ? '' : ` AND ${only}`}`,
      };
    }
    case 'rate':
      return countedBy(source, metricOf(source, computation.part).computation);
    case 'balance': {
      const keys = [...computation.of.plus, ...(computation.of.minus ?? [])];
      const all = keys.map((key) => countedBy(source, metricOf(source, key).computation));
      return {
        counters: all.flatMap(({ counters }) => counters),
        columns: all.flatMap(({ columns }) => columns),
        condition: `(${all.map(({ condition }) => condition).join(' OR ')})`,
      };
    }
    case 'median':
      return { counters: [], columns: ['status'], condition: statusSql(['completed']) };
    case 'level':
      return { counters: ['created'], columns: [], condition: 'f.n_created <> 0' };
    case 'people':
      return { counters: [], columns: [], condition: '' };
  }
}

/** Statuses come from the catalogue, not from callers. */
function statusSql(statuses: readonly string[] | undefined): string {
  return statuses ? `f.status IN (${statuses.map((status) => `'${status}'`).join(', ')})` : '';
}

/** The CTEs of an answer, up to `dense`, its rows in no order, and `totals`. */
function ctesOf(plan: Plan): string {
  const { dimensions, level, extra } = plan;
  const ctes = [`base AS (${baseSql(plan)})`];
  if (extra !== undefined) ctes.push(`loose AS (${looseSql(plan)})`);
  ctes.push(`totals AS (${totalsSql(plan)})`);
  if (dimensions.length === 0) return ctes.join(', ');
  if (listOf(plan) >= 0) ctes.push(`lists AS (${listsSql(plan)})`);
  ctes.push(`cells AS (${cellsSql(plan)})`);
  const times = timesOf(plan);
  if (times.length === 0) ctes.push(`dense AS (${flatSql(plan)})`);
  else {
    ctes.push(`axis AS (${axisSql(plan)})`);
    if (isGrid(plan)) ctes.push(`grid AS (${gridSql(plan)})`);
    ctes.push(`dense AS (${level === undefined ? filledSql(plan) : runningTotalSql(plan)})`);
  }
  return ctes.join(', ');
}

/** The CTEs whose column `fits` says whether the number of rows stays within the limits. */
function limitsOf(plan: Plan): readonly ('lists' | 'grid')[] {
  return [...(listOf(plan) >= 0 ? ['lists' as const] : []), ...(isGrid(plan) ? ['grid' as const] : [])];
}

function rejectedIf(limits: readonly string[]): string {
  return `(NOT (${limits.map((name) => `(SELECT x.fits FROM ${name} x)`).join(' AND ')}))::int`;
}

/** The index of the dimension that is a list; -1 if none is. */
function listOf({ dimensions }: Plan): number {
  return dimensions.findIndex(({ sql }) => sql.isList);
}

/** Whether each group has a row for every period. */
function isGrid(plan: Plan): boolean {
  return plan.level !== undefined && timesOf(plan).length > 0 && othersOf(plan).length > 0;
}

/** The columns of dimensions other than time. */
function othersOf({ dimensions }: Plan): string[] {
  return dimensions.flatMap(({ rank }, index) => (rank === undefined ? [`d${index}`] : []));
}

function listsSql(plan: Plan): string {
  const list = listOf(plan);
  const items = (name: string): string =>
    `(SELECT coalesce(sum(greatest(cardinality(b.d${list}), 1)), 0) FROM ${name} b)`;
  const all = [items('base'), ...(plan.extra === undefined ? [] : [items('loose')])];
  return `SELECT ${all.join(' + ')} <= ${MAX_LIST_ITEMS} AS fits`;
}

function gridSql(plan: Plan): string {
  const groups = `SELECT DISTINCT ${othersOf(plan).join(', ')} FROM cells`;
  return `SELECT count(*) * (SELECT count(*) FROM axis) <= ${MAX_GROUPS_BY_PERIOD} AS fits FROM (${groups}) AS g`;
}

/** Aggregates facts by everything that distinguishes rows. Lists stay whole, so that totals count each record once. */
function baseSql(plan: Plan): string {
  const { query, read, need, parameters, counts, level } = plan;
  const parts = partsOf(query.range, plan.byHour);
  const facts = factsOf(read, need, parts, parameters);
  const { from } = query.range;
  if (level !== undefined && from.getTime() > EARLIEST_MOMENT) {
    const before = partsOf({ from: new Date(EARLIEST_MOMENT), to: new Date(from.getTime() - 1) });
    facts.push(...factsOf(read, need, before, parameters, 'before'));
  }
  facts.push(...currentFactsOf(read, need));
  const values = plan.dimensions.map(({ sql }, index) => `${sql.value} AS d${index}`);
  const sums = counts.map((key) => `${countSql(plan, key)} AS m_${key}`);
  if (level !== undefined) sums.push(`${GROWTH} AS growth`);
  if (read.existenceCounter !== undefined) sums.push(`sum(f.n_${read.existenceCounter})::bigint AS presence`);
  const groups = values.map((_, index) => String(index + 1));
  return `SELECT ${[...values, ...sums].join(', ')} FROM (${facts.join(' UNION ALL ')}) AS f${plan.joins}${where(plan.filters)}${groupBy(groups)}`;
}

/** The increase of the number of contacts. */
const GROWTH = 'coalesce(sum(f.n_created - f.n_deleted + f.n_revived), 0)::bigint';

function countSql({ source, level, timeFilters }: Plan, name: string): string {
  const { key, by } = parseCount(name);
  const { computation } = metricOf(source, key);
  if (computation.kind !== 'count') throw new TypeError(`${key} is no count.`);
  const { counter, statuses } = computation;
  const only = [
    ...(statuses ? [statusSql(statuses)] : []),
    ...(by === undefined ? [] : [measuredSql(by, 'f.tracked', 'f.at')]),
    // Facts before the period, or outside the filtered times, only count for the level.
    ...(level === undefined ? [] : ['f.at IS NOT NULL', ...timeFilters]),
  ];
  return `coalesce(sum(f.n_${counter})${only.length === 0 ? '' : ` FILTER (WHERE ${only.join(' AND ')})`}, 0)::bigint`;
}

/** The individual values for a metric that no rollup can answer. */
function looseSql(plan: Plan): string {
  const { query, read, need, parameters } = plan;
  if (!read.extra) throw new TypeError('No such metric is read.');
  const facts = extraFactsOf(read, read.extra, need.columns, partsOf(query.range), parameters);
  const values = plan.dimensions.map(({ sql }, index) => `${sql.value} AS d${index}, `).join('');
  return `SELECT ${values}f.x FROM (${facts.join(' UNION ALL ')}) AS f${plan.joins}${where(plan.filters)}`;
}

function totalsSql({ counts, level, extra, read }: Plan): string {
  const sums = counts.map((key) => `coalesce(sum(b.m_${key}), 0)::bigint AS m_${key}`);
  if (level !== undefined) sums.push(`coalesce(sum(b.growth), 0)::bigint AS m_${level}`);
  if (extra !== undefined && read.extra)
    sums.push(`(SELECT coalesce(${read.extra.aggregate('o.x')}, 0) FROM loose o) AS m_${extra}`);
  const isSum = counts.length > 0 || level !== undefined;
  return `SELECT ${sums.join(', ')}${isSum ? ' FROM base b' : ''}`;
}

/** Rows by dimension; lists get one row per item, or one if they are empty. */
function cellsSql(plan: Plan): string {
  const { counts, level, extra, read } = plan;
  const keys = plan.dimensions.map((_, index) => `d${index}`);
  const values = plan.dimensions.map((one, index) =>
    one.sql.isList ? `j.item AS d${index}` : `b.d${index} AS d${index}`,
  );
  const list = listOf(plan);
  const items =
    list < 0
      ? ''
      : ` LEFT JOIN LATERAL (SELECT DISTINCT a.item FROM unnest(b.d${list}) AS a(item)) AS j ON true${where(['(SELECT x.fits FROM lists x)', ...itemFilters(plan)])}`;
  const sums = counts.map((key) => `sum(b.m_${key})::bigint AS m_${key}`);
  if (level !== undefined) sums.push('sum(b.growth)::bigint AS growth');
  const isPresent =
    read.existenceCounter === undefined
      ? [
          ...counts.map((key) => `sum(b.m_${key}) <> 0`),
          ...(level === undefined ? [] : ['sum(b.growth) <> 0']),
        ]
      : ['sum(b.presence) > 0'];
  const groups = groupBy(keys.map((_, index) => String(index + 1)));
  const counted = `SELECT ${[...values, ...sums].join(', ')} FROM base b${items}${groups} HAVING ${isPresent.join(' OR ')}`;
  if (extra === undefined || !read.extra) return counted;
  const nothing = counts.map(() => ', 0::bigint').join('');
  const single = `SELECT ${values.join(', ')}${nothing}, ${read.extra.aggregate('b.x')}::${read.extra.type} AS m_${extra} FROM loose b${items}${groups}`;
  const both = [
    ...keys.map((key) => `z.${key}`),
    ...counts.map((key) => `sum(z.m_${key})::bigint AS m_${key}`),
    `coalesce(max(z.m_${extra}), 0) AS m_${extra}`,
  ];
  return `SELECT ${both.join(', ')} FROM (SELECT c.*, NULL::${read.extra.type} AS m_${extra} FROM (${counted}) AS c UNION ALL ${single}) AS z${groups}`;
}

/** A filter on list items restricts rows to these items. */
function itemFilters({ query, source, dimensions, parameters }: Plan): string[] {
  const list = dimensions.find(({ sql }) => sql.isList);
  if (!list) return [];
  return query.filters
    .filter((filter) => filter.field === list.dimension.key && !isNegative(filter))
    .map((filter: MetricFilter) => matchSql(dimensionOf(source, filter.field), filter, 'j.item', parameters));
}

/** The indexes of the time dimensions, longest period first. */
function timesOf({ dimensions }: Plan): { readonly key: string; readonly index: number }[] {
  return dimensions
    .map(({ dimension, rank }, index) => ({ key: dimension.key, index, rank }))
    .filter((one): one is typeof one & { rank: number } => one.rank !== undefined)
    .sort((one, other) => one.rank - other.rank);
}

/** Every period of the range, as far as the rows of an answer can reach, except those that filters exclude. */
function axisSql(plan: Plan): string {
  const { query, parameters, timeFilters, maxRows } = plan;
  const times = timesOf(plan);
  const step = plan.byHour ? HOUR : DAY;
  const start = Math.floor(query.range.from.getTime() / step) * step;
  const reach =
    maxRows === undefined
      ? Number.POSITIVE_INFINITY
      : (maxRows + 1) * Math.min(...times.map(({ key }) => periodOf(key)));
  const end = Math.min(query.range.to.getTime(), start + reach);
  const values = times.map(({ key, index }) => `${timeOf(key, 'f.at')} AS d${index}`);
  const bounds = [start, end].map((moment) => parameters.moment(new Date(moment)));
  // In steps of hours, since these have the same length in every zone.
  const stamps = `generate_series(${bounds.join(', ')}, ${parameters.add(step / HOUR, 'int')} * interval '1 hour')`;
  return `SELECT DISTINCT ${values.join(', ')} FROM ${stamps} AS f(at)${where(timeFilters)}`;
}

/** The time after which the first time dimension has changed its value, or taken all of its values. */
function periodOf(key: string): number {
  const days: Readonly<Record<string, number>> = { month: DAYS_OF_LONGEST_MONTH, week: 7, date: 1 };
  // Cyclic dimensions repeat within a week.
  return (days[key] ?? 1) * DAY;
}

/** The rows without filling. */
function flatSql(plan: Plan): string {
  if (plan.level === undefined) return 'SELECT c.* FROM cells c';
  const keys = plan.dimensions.map((_, index) => `c.d${index}`);
  const sums = [...plan.counts.map((key) => `c.m_${key}`), `c.growth AS m_${plan.level}`];
  return `SELECT ${[...keys, ...sums].join(', ')} FROM cells c WHERE ${nonZeroSql(plan, 'c', 'c.growth')}`;
}

/** The rows, plus an empty row for each period without any. */
function filledSql(plan: Plan): string {
  const times = timesOf(plan);
  const columns = [
    ...plan.dimensions.map(({ rank }, index) =>
      rank === undefined ? `c.d${index}` : `coalesce(a.d${index}, c.d${index}) AS d${index}`,
    ),
    ...plan.valueKeys.map((key) => `coalesce(c.m_${key}, 0) AS m_${key}`),
  ];
  const same = times.map(({ index }) => `a.d${index} = c.d${index}`).join(' AND ');
  return `SELECT ${columns.join(', ')} FROM axis a FULL JOIN cells c ON ${same}`;
}

/** The running total at the end of each period: a row for every group and period, accumulated over time. */
function runningTotalSql(plan: Plan): string {
  const { dimensions, counts, level } = plan;
  const times = timesOf(plan);
  const others = othersOf(plan);
  const keys = dimensions.map((_, index) => `d${index}`);
  const isTime = (key: string): boolean => times.some(({ index }) => `d${index}` === key);
  const groups =
    others.length === 0
      ? ''
      : ` CROSS JOIN (SELECT DISTINCT ${others.join(', ')} FROM cells WHERE (SELECT x.fits FROM grid x)) AS g`;
  const grid = `SELECT ${[...keys.map((key) => (isTime(key) ? `a.${key}` : `g.${key}`)), ...counts.map(() => '0::bigint'), '0::bigint'].join(', ')} FROM axis a${groups}`;
  const all = `SELECT ${[...keys.map((key) => `c.${key}`), ...counts.map((key) => `c.m_${key}`), 'c.growth'].join(', ')} FROM cells c UNION ALL ${grid}`;
  const summed = `SELECT ${[...keys, ...counts.map((key) => `sum(m_${key})::bigint AS m_${key}`), 'sum(growth) AS growth'].join(', ')} FROM (${all}) AS y${groupBy(keys.map((_, index) => String(index + 1)))}`;
  const window = [
    ...(others.length === 0 ? [] : [`PARTITION BY ${others.map((key) => `s.${key}`).join(', ')}`]),
    `ORDER BY ${times.map(({ index }) => `s.d${index} NULLS FIRST`).join(', ')} ROWS UNBOUNDED PRECEDING`,
  ].join(' ');
  const runningTotal = `SELECT ${[...keys.map((key) => `s.${key}`), ...counts.map((key) => `s.m_${key}`), `sum(s.growth) OVER (${window})::bigint AS m_${level ?? ''}`].join(', ')} FROM (${summed}) AS s`;
  const same = times.map(({ index }) => `a.d${index} = v.d${index}`).join(' AND ');
  const rows = `SELECT ${[...keys.map((key) => (isTime(key) ? `a.${key}` : `v.${key}`)), ...plan.valueKeys.map((key) => `coalesce(v.m_${key}, 0) AS m_${key}`)].join(', ')} FROM axis a LEFT JOIN (SELECT v.* FROM (${runningTotal}) AS v${others.length === 0 ? '' : ` WHERE ${nonZeroSql(plan, 'v', `v.m_${level ?? ''}`)}`}) AS v ON ${same}`;
  return rows;
}

/** Omits rows of groups whose values are all zero. */
function nonZeroSql({ counts }: Plan, alias: string, level: string): string {
  return [...counts.map((key) => `${alias}.m_${key} <> 0`), `${level} <> 0`].join(' OR ');
}

/**
 * Sorts by time; otherwise by the first metric, largest first. Then by the dimension values, so that the order is
 * stable.
 */
function orderOf(plan: Plan): string {
  const times = timesOf(plan).map(({ index }) => `r.d${index}`);
  const first = plan.query.metrics[0];
  const largest = first === undefined ? [] : [`${sortValueOf(metricOf(plan.source, first), 'r')} DESC`];
  const others = plan.dimensions.flatMap(({ rank }, index) =>
    rank === undefined ? [`r.d${index}::text COLLATE "C" NULLS LAST`] : [],
  );
  return [...times, ...largest, ...others].join(', ');
}

/** The sort expression of a metric: for a rate, the unrounded value. */
function sortValueOf(metric: Metric, alias: string): string {
  const { key, computation } = metric;
  if (computation.kind === 'rate') {
    const { part, whole: counts } = rateParts(metric);
    const whole = balanceSql(counts, alias);
    return `(CASE WHEN ${whole} > 0 THEN ${alias}.m_${part}::numeric / ${whole} ELSE 0 END)`;
  }
  return computation.kind === 'balance' ? balanceSql(computation.of, alias) : `${alias}.m_${key}`;
}

/** A metric as a single number, computed as in `figuresOf`; null if not measured. */
function valueOf(source: Source, key: string, alias: string): string {
  const metric = metricOf(source, key);
  const value = plainValueOf(metric, alias);
  if (!metric.measured) return value;
  const { of, by } = metric.measured;
  const isUnmeasured = `${balanceSql(of, alias)} > 0 AND ${balanceSql(measuredBalance(of, by), alias)} <= 0`;
  return `(CASE WHEN ${isUnmeasured} THEN NULL ELSE ${value} END)`;
}

function plainValueOf(metric: Metric, alias: string): string {
  if (metric.computation.kind !== 'rate') return `(${sortValueOf(metric, alias)})::float8`;
  const { part, whole: counts } = rateParts(metric);
  const whole = balanceSql(counts, alias);
  return `(CASE WHEN ${whole} > 0 THEN round(${alias}.m_${part} * 100::numeric / ${whole}, 2) ELSE 0 END)::float8`;
}

function balanceSql({ plus, minus = [] }: Balance, alias: string): string {
  const sum = plus.map((key) => `${alias}.m_${key}`).join(' + ');
  return `(${sum}${minus.map((key) => ` - ${alias}.m_${key}`).join('')})`;
}

const NAMES: Readonly<Record<string, string>> = {
  flow: '{flows}',
  campaign: '{campaigns}',
  template: '{templates}',
};

/** Values as an answer shows them; names are looked up only for rows that are shown. */
function resultColumnsOf(
  { dimensions }: Plan,
  alias: string,
): { readonly columns: string; readonly joins: string } {
  const columns = dimensions.map(({ dimension, rank }, index) => {
    const value = `${alias}.d${index}`;
    if (rank !== undefined)
      return `, ${formatTimeSql(dimension.key, value)}::text AS d${index}, NULL::text AS i${index}`;
    if (dimension.valueKind !== 'id') return `, ${value}::text AS d${index}, NULL::text AS i${index}`;
    if (dimension.key === 'template')
      return `, coalesce(t${index}.name, ${value}) AS d${index}, t${index}.id::text AS i${index}`;
    return `, coalesce(t${index}.name, ${value}::text) AS d${index}, ${value}::text AS i${index}`;
  });
  return { columns: columns.join(''), joins: nameJoins(dimensions, alias) };
}

/** Values as cells of a file. */
function fileColumnsOf(
  { dimensions }: Plan,
  alias: string,
): { readonly columns: readonly string[]; readonly joins: string } {
  const columns = dimensions.map(({ dimension, rank }, index) => {
    const value = `${alias}.d${index}`;
    if (rank !== undefined) return `${formatTimeSql(dimension.key, value)} AS v_d${index}`;
    if (dimension.valueKind === 'integer') return `${value} AS v_d${index}`;
    const text = dimension.valueKind === 'id' ? `coalesce(t${index}.name, ${value}::text)` : `${value}::text`;
    return `${escapeFormulaSql(text)} AS v_d${index}`;
  });
  return { columns, joins: nameJoins(dimensions, alias) };
}

function nameJoins(dimensions: readonly PlannedDimension[], alias: string): string {
  return dimensions
    .map(({ dimension }, index) => {
      const table = NAMES[dimension.key];
      if (dimension.valueKind !== 'id' || table === undefined) return '';
      return ` LEFT JOIN ${table} t${index} ON t${index}.${dimension.key === 'template' ? 'slug' : 'id'} = ${alias}.d${index}`;
    })
    .join('');
}

function where(conditions: readonly string[]): string {
  return conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
}

function groupBy(columns: readonly string[]): string {
  return columns.length === 0 ? '' : ` GROUP BY ${columns.join(', ')}`;
}
