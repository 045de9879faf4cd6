/**
 * Compiles a filter to one SQL condition over a whole tenant, with every value as a parameter; domain/decide decides
 * the same for one contact. A condition may be null if a value is missing, which counts as false, so it may be
 * negated only with IS NOT TRUE.
 */
import { DAY } from '../../../kernel/duration.js';
import { isNumber, type ExactNumber } from '../../../kernel/exact-number.js';
import { jsonText } from '../../../kernel/json-text.js';
import { keyPathsOf } from '../../../kernel/key-path.js';
import { EARLIEST_MOMENT, LATEST_MOMENT } from '../../../kernel/iso-moment.js';
import { snakeCase } from '../../../kernel/letter-case.js';
import {
  COUNT_PATTERN,
  DATE_LENGTH,
  MIN_MILLISECONDS_VALUE,
  MOMENT_PATTERN,
  OFFSET_PATTERN,
} from '../../../kernel/parse-moment.js';
import type {
  EventCondition,
  FieldCondition,
  FilterCondition,
  FilterGroup,
  Scalar,
  ValueTest,
} from '../domain/filter.js';
import { lowerCase } from '../domain/lower-case.js';

export interface FilterSql {
  /** Follows `{contacts} c`: the joins that conditions on events need. Empty if there are none. */
  readonly joins: string;
  /** A condition on `c`, a row of contacts; other tables are in braces, for read queries. */
  readonly sql: string;
  readonly values: readonly unknown[];
}

export interface FilterSqlOptions {
  readonly now: Date;
  /** The filter of another segment; undefined if there is none. Circular references were rejected before. */
  readonly filterOf: (segmentId: string) => FilterGroup | undefined;
  /** Number of the first parameter. */
  readonly firstParameter?: number;
  /** Limits the query to these contacts, so that no other contact's events are read. */
  readonly externalIds?: readonly string[];
}

/** The filter as SQL. The caller must exclude deleted contacts. */
export function filterSql(filter: FilterGroup, options: FilterSqlOptions): FilterSql {
  const writer = new FilterWriter(options);
  const sql = writer.condition(filter, true);
  return { joins: [...writer.joins.values()].join('\n'), sql, values: writer.values };
}

/** A read query for the ids of the contacts that match the filter, without deleted ones. */
export function membersSql(filter: Pick<FilterSql, 'joins' | 'sql'>): string {
  return `SELECT c.id ${whereSql(filter)}`;
}

/** The same query from FROM on. */
export function whereSql({ joins, sql }: Pick<FilterSql, 'joins' | 'sql'>): string {
  return `FROM {contacts} c ${joins} WHERE c.subscription_status <> 'deleted' AND ${sql}`;
}

class FilterWriter {
  readonly values: unknown[] = [];
  /** By their SQL, so that equal conditions share one join. */
  readonly joins = new Map<string, string>();
  private readonly first: number;

  constructor(private readonly options: FilterSqlOptions) {
    this.first = options.firstParameter ?? 1;
  }

  /**
   * @param isRequired whether every match must pass this condition: it is neither one of several alternatives nor
   *   negated.
   */
  condition(condition: FilterCondition, isRequired: boolean): string {
    switch (condition.kind) {
      case 'group': {
        const { conditions, match } = condition;
        if (conditions.length === 0) return 'true';
        const isEachRequired = isRequired && (match === 'all' || conditions.length === 1);
        const parts = conditions.map((inner) => this.condition(inner, isEachRequired));
        return `(${parts.join(match === 'all' ? ' AND ' : ' OR ')})`;
      }
      case 'field':
        return this.field(condition);
      case 'tags': {
        const tags = this.parameter(condition.tags, 'text[]');
        if (condition.quantity === 'all') return `c.tags @> ${tags}`;
        return condition.quantity === 'any' ? `c.tags && ${tags}` : `NOT c.tags && ${tags}`;
      }
      case 'event':
        return this.event(condition, isRequired);
      case 'segment': {
        const other = this.options.filterOf(condition.segmentId);
        const isIn = other ? this.condition(other, isRequired && condition.isMember) : 'false';
        return condition.isMember ? isIn : `(${isIn}) IS NOT TRUE`;
      }
    }
  }

  private event(condition: EventCondition, isRequired: boolean): string {
    const { atLeast, atMost } = condition;
    if (atLeast === 0 && atMost === null) return 'true';
    // For a condition that every match must pass, the planner chooses the join itself.
    if (isRequired && atLeast === 1 && atMost === null)
      return `c.external_id IN (SELECT e.external_id ${this.eventsSql(condition)})`;
    if (isRequired && atMost === 0)
      return `NOT EXISTS (SELECT ${this.eventsSql(condition)} AND e.external_id = c.external_id)`;
    // Anywhere else it would run once per contact; as a join, the events are read once.
    const alias = this.join(condition);
    return `(${alias}.external_id IS ${atLeast === 0 ? 'NULL' : 'NOT NULL'})`;
  }

  /** Contacts that have done the event often enough; or, if never also counts, those that have done it too often. */
  private join(condition: EventCondition): string {
    const conditionKey = jsonText(condition);
    const alias = `done${this.joins.has(conditionKey) ? [...this.joins.keys()].indexOf(conditionKey) : this.joins.size}`;
    if (this.joins.has(conditionKey)) return alias;
    const { atLeast, atMost } = condition;
    const times = (operator: string, count: number): string =>
      `count(*) ${operator} ${this.parameter(count, 'bigint')}`;
    const events = this.eventsSql(condition);
    const upper = atMost === null ? [] : [times(atLeast === 0 ? '>' : '<=', atMost)];
    const having = [...(atLeast > 1 ? [times('>=', atLeast)] : []), ...upper].join(' AND ');
    this.joins.set(
      conditionKey,
      `LEFT JOIN (SELECT e.external_id ${events} GROUP BY e.external_id${having && ` HAVING ${having}`}) ${alias}
        ON ${alias}.external_id = c.external_id`,
    );
    return alias;
  }

  /** The events that count. */
  private eventsSql({ eventName, withinDays, where }: EventCondition): string {
    const parts = [`e.event_name = ${this.parameter(eventName, 'text')}`];
    const { externalIds } = this.options;
    if (externalIds) parts.push(`e.external_id = ANY (${this.parameter(externalIds, 'text[]')})`);
    if (withinDays !== null) parts.push(`e.occurred_at >= ${this.moment(-withinDays)}`);
    for (const { path, test } of where) parts.push(this.json(test, 'e.attributes', path));
    return `FROM {events} e WHERE ${parts.join(' AND ')}`;
  }

  private field({ fieldRef, test }: FieldCondition): string {
    if (fieldRef.kind === 'json') return this.json(test, 'c.properties', fieldRef.path);
    return this.test(test, { kind: fieldRef.kind, column: `c.${snakeCase(fieldRef.field)}` });
  }

  private json(test: ValueTest, json: string, names: readonly string[]): string {
    const parameter = (key: string): string => this.parameter(key, 'text');
    const [only = ''] = names;
    if (names.length === 1) return this.test(test, { kind: 'json', json: `${json} -> ${parameter(only)}` });
    // OFFSET prevents the planner from copying the lookup to each use of the value.
    const value = valueSql(json, names, parameter);
    return `(SELECT ${this.test(test, { kind: 'json', json: 'found.value' })} FROM (SELECT ${value} AS value OFFSET 0) found)`;
  }

  private test(test: ValueTest, expression: ValueExpression): string {
    switch (test.operator) {
      case 'exists':
        return this.present(expression);
      case 'not_exists':
        return `NOT ${this.present(expression)}`;
      case 'equals':
        return this.anyOf([test.value], expression);
      case 'not_equals':
        return `(${this.anyOf([test.value], expression)}) IS NOT TRUE`;
      case 'in':
        return this.anyOf(test.values, expression);
      case 'not_in':
        return `(${this.anyOf(test.values, expression)}) IS NOT TRUE`;
      case 'contains':
        return this.contains(test.text, expression);
      case 'not_contains':
        return `(${this.contains(test.text, expression)}) IS NOT TRUE`;
      case 'starts_with':
        return this.text(expression, (text) => `starts_with(${text}, ${this.parameter(test.text, 'text')})`);
      case 'ends_with':
        return this.text(expression, (text) => {
          const end = this.parameter(test.text, 'text');
          return `right(${text}, length(${end})) = ${end}`;
        });
      case 'greater_than':
        return this.number(expression, '>', test.number);
      case 'greater_than_or_equal':
        return this.number(expression, '>=', test.number);
      case 'less_than':
        return this.number(expression, '<', test.number);
      case 'less_than_or_equal':
        return this.number(expression, '<=', test.number);
      case 'before':
        return this.momentTest(expression, (at) => `${at} < ${this.parameter(test.moment, 'timestamptz')}`);
      case 'after':
        return this.momentTest(expression, (at) => `${at} > ${this.parameter(test.moment, 'timestamptz')}`);
      case 'on':
        return this.momentTest(
          expression,
          (at) => `(${at} AT TIME ZONE 'UTC')::date = ${this.parameter(test.day, 'date')}`,
        );
      case 'within_last_days':
        return this.momentTest(
          expression,
          (at) => `${at} BETWEEN ${this.moment(-test.days)} AND ${this.moment(0)}`,
        );
      case 'more_than_days_ago':
        return this.momentTest(expression, (at) => `${at} < ${this.moment(-test.days)}`);
      case 'within_next_days':
        return this.momentTest(
          expression,
          (at) => `${at} BETWEEN ${this.moment(0)} AND ${this.moment(test.days)}`,
        );
    }
  }

  private present(expression: ValueExpression): string {
    if (expression.kind !== 'json') return `(${expression.column} IS NOT NULL)`;
    // As text, a JSON null becomes an SQL null.
    return `(${asText(expression)} IS NOT NULL)`;
  }

  private anyOf(scalars: readonly Scalar[], expression: ValueExpression): string {
    if (expression.kind === 'moment') return 'false';
    const texts = scalars.filter((one) => typeof one === 'string').map(lowerCase);
    const numbers = scalars.filter(isNumber);
    const truths = scalars.filter((one) => typeof one === 'boolean');
    const parts: string[] = [];
    if (texts.length > 0) {
      const list = this.parameter(texts, 'text[]');
      if (expression.kind === 'text') parts.push(`lower(${expression.column}) = ANY (${list})`);
      if (expression.kind === 'json')
        parts.push(
          `(lower(${asText(expression)}) = ANY (${list}) AND jsonb_typeof(${asJson(expression)}) = 'string')`,
        );
    }
    if (expression.kind === 'json' && numbers.length > 0)
      parts.push(numeric(expression, `= ANY (${this.parameter(numbers.map(String), 'numeric[]')})`));
    if (expression.kind === 'json' && truths.length > 0)
      parts.push(`${asJson(expression)} = ANY (${this.parameter(truths.map(String), 'jsonb[]')})`);
    return parts.length > 0 ? `(${parts.join(' OR ')})` : 'false';
  }

  private contains(substring: string, expression: ValueExpression): string {
    if (expression.kind === 'moment') return 'false';
    const part = this.parameter(substring, 'text');
    if (expression.kind === 'text') return `strpos(lower(${expression.column}), ${part}) > 0`;
    const json = asJson(expression);
    return `(CASE jsonb_typeof(${json})
      WHEN 'string' THEN strpos(lower(${asText(expression)}), ${part}) > 0
      WHEN 'array' THEN EXISTS (SELECT FROM jsonb_array_elements(${json}) AS item
        WHERE jsonb_typeof(item) = 'string' AND lower(item #>> '{}') = ${part}) END)`;
  }

  private text(expression: ValueExpression, toSql: (text: string) => string): string {
    if (expression.kind === 'moment') return 'false';
    if (expression.kind === 'text') return toSql(`lower(${expression.column})`);
    return `(jsonb_typeof(${asJson(expression)}) = 'string' AND ${toSql(`lower(${asText(expression)})`)})`;
  }

  private number(expression: ValueExpression, operator: string, bound: number | ExactNumber): string {
    return expression.kind === 'json'
      ? numeric(expression, `${operator} ${this.parameter(String(bound), 'numeric')}`)
      : 'false';
  }

  private momentTest(expression: ValueExpression, toSql: (moment: string) => string): string {
    if (expression.kind === 'moment') return toSql(expression.column);
    if (expression.kind === 'text') return toSql(`(CASE ${momentFromText(expression.column)} END)`);
    const json = asJson(expression);
    return toSql(`(CASE jsonb_typeof(${json}) WHEN 'string' THEN CASE ${momentFromText(asText(expression))} END
      WHEN 'number' THEN ${momentFromNumber(`${json}::numeric`)} END)`);
  }

  private moment(days: number): string {
    return this.parameter(new Date(this.options.now.getTime() + days * DAY), 'timestamptz');
  }

  private parameter(value: unknown, type: string): string {
    this.values.push(value);
    return `$${this.first + this.values.length - 1}::${type}`;
  }
}

type ValueExpression =
  | { readonly kind: 'text'; readonly column: string }
  | { readonly kind: 'moment'; readonly column: string }
  | JsonExpression;

interface JsonExpression {
  readonly kind: 'json';
  /** SQL expression of the value, as JSON. */
  readonly json: string;
}

function asJson({ json }: JsonExpression): string {
  return `(${json})`;
}

function asText({ json }: JsonExpression): string {
  return `((${json}) #>> '{}')`;
}

/**
 * The value at a path of names joined by dots, as kernel/key-path finds it: through members of objects, never through
 * lists.
 */
export function valueSql(json: string, names: readonly string[], parameter: (key: string) => string): string {
  const parameters = new Map<string, string>();
  const parameterOf = (key: string): string => {
    const existing = parameters.get(key) ?? parameter(key);
    parameters.set(key, existing);
    return existing;
  };
  const values = keyPathsOf(names).map(
    (keys) => `NULLIF(${[json, ...keys.map(parameterOf)].join(' -> ')}, 'null')`,
  );
  return `COALESCE(${values.join(', ')})`;
}

/**
 * The branches of a CASE, the only construct with a defined order of evaluation: casting any other text would be an
 * error.
 */
function momentFromText(text: string): string {
  const plain = `regexp_replace(replace(btrim(${text}), ',', '.'), '([.][0-9]{3})[0-9]+', '\\1')`;
  const offset = `CASE WHEN length(btrim(${text})) = ${DATE_LENGTH} THEN 'T00:00:00Z'
    WHEN btrim(${text}) ~ '${OFFSET_PATTERN}' THEN '' ELSE 'Z' END`;
  return `WHEN ${text} ~ '${MOMENT_PATTERN}' THEN (${plain} || ${offset})::timestamptz
    WHEN ${text} ~ '${COUNT_PATTERN}' THEN ${momentFromNumber(`btrim(${text})::numeric`)}`;
}

/** Converts a number to a moment in days and milliseconds, since a double cannot hold all digits of their product. */
function momentFromNumber(count: string): string {
  const milliseconds = `trunc(CASE WHEN abs(${count}) < ${MIN_MILLISECONDS_VALUE} THEN ${count} * 1000 ELSE ${count} END)`;
  return `(CASE WHEN ${milliseconds} BETWEEN ${EARLIEST_MOMENT} AND ${LATEST_MOMENT} THEN (timestamp '1970-01-01'
    + div(${milliseconds}, ${DAY})::int * interval '1 day'
    + (${milliseconds} % ${DAY})::int * interval '1 millisecond') AT TIME ZONE 'UTC' END)`;
}

function numeric(expression: JsonExpression, comparison: string): string {
  const json = asJson(expression);
  return `(CASE WHEN jsonb_typeof(${json}) = 'number' THEN ${json}::numeric ${comparison} END)`;
}
