/**
 * Compiles a filter to one SQL condition over a whole tenant, with every value as a parameter; domain/decide decides
 * the same for one contact. A condition may be null if a value is missing, which counts as false, so it may be
 * negated only with IS NOT TRUE.
 */
import { DAY } from '../../../kernel/duration.js';
import { isNumber, type ExactNumber } from '../../../kernel/exact-number.js';
import { jsonText } from '../../../kernel/json-text.js';
import { keyPathsOf } from '../../../kernel/key-path.js';
import { EARLIEST, LATEST } from '../../../kernel/iso-moment.js';
import { snakeCase } from '../../../kernel/letter-case.js';
import {
  COUNT_PATTERN,
  DATE_LENGTH,
  FIRST_MILLISECONDS,
  MOMENT_PATTERN,
  OFFSET_PATTERN,
} from '../../../kernel/written-moment.js';
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

export interface FilterSurroundings {
  readonly now: Date;
  /** The filter of another segment; undefined if there is none. Circular references were rejected before. */
  readonly filterOf: (segmentId: string) => FilterGroup | undefined;
  /** Number of the first parameter. */
  readonly firstParameter?: number;
  /** Limits the query to these contacts, so that no other contact's events are read. */
  readonly externalIds?: readonly string[];
}

/** The filter as SQL. The caller must exclude deleted contacts. */
export function filterSql(filter: FilterGroup, surroundings: FilterSurroundings): FilterSql {
  const writer = new FilterWriter(surroundings);
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

  constructor(private readonly around: FilterSurroundings) {
    this.first = around.firstParameter ?? 1;
  }

  /**
   * @param isNeeded whether every match must pass this condition: it is neither one of several alternatives nor
   *   negated.
   */
  condition(condition: FilterCondition, isNeeded: boolean): string {
    switch (condition.kind) {
      case 'group': {
        const { conditions, match } = condition;
        if (conditions.length === 0) return 'true';
        const isEachNeeded = isNeeded && (match === 'all' || conditions.length === 1);
        const parts = conditions.map((inner) => this.condition(inner, isEachNeeded));
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
        return this.event(condition, isNeeded);
      case 'segment': {
        const other = this.around.filterOf(condition.segmentId);
        const isIn = other ? this.condition(other, isNeeded && condition.isMember) : 'false';
        return condition.isMember ? isIn : `(${isIn}) IS NOT TRUE`;
      }
    }
  }

  private event(condition: EventCondition, isNeeded: boolean): string {
    const { atLeast, atMost } = condition;
    if (atLeast === 0 && atMost === null) return 'true';
    // For a condition that every match must pass, the planner chooses the join itself.
    if (isNeeded && atLeast === 1 && atMost === null)
      return `c.external_id IN (SELECT e.external_id ${this.done(condition)})`;
    if (isNeeded && atMost === 0)
      return `NOT EXISTS (SELECT ${this.done(condition)} AND e.external_id = c.external_id)`;
    // Anywhere else it would run once per contact; as a join, the events are read once.
    const alias = this.join(condition);
    return `(${alias}.external_id IS ${atLeast === 0 ? 'NULL' : 'NOT NULL'})`;
  }

  /** Contacts that have done the event often enough; or, if never also counts, those that have done it too often. */
  private join(condition: EventCondition): string {
    const question = jsonText(condition);
    const alias = `done${this.joins.has(question) ? [...this.joins.keys()].indexOf(question) : this.joins.size}`;
    if (this.joins.has(question)) return alias;
    const { atLeast, atMost } = condition;
    const times = (operator: string, count: number): string =>
      `count(*) ${operator} ${this.parameter(count, 'bigint')}`;
    const done = this.done(condition);
    const upper = atMost === null ? [] : [times(atLeast === 0 ? '>' : '<=', atMost)];
    const having = [...(atLeast > 1 ? [times('>=', atLeast)] : []), ...upper].join(' AND ');
    this.joins.set(
      question,
      `LEFT JOIN (SELECT e.external_id ${done} GROUP BY e.external_id${having && ` HAVING ${having}`}) ${alias}
        ON ${alias}.external_id = c.external_id`,
    );
    return alias;
  }

  /** The events that count. */
  private done({ eventName, withinDays, where }: EventCondition): string {
    const parts = [`e.event_name = ${this.parameter(eventName, 'text')}`];
    const { externalIds } = this.around;
    if (externalIds) parts.push(`e.external_id = ANY (${this.parameter(externalIds, 'text[]')})`);
    if (withinDays !== null) parts.push(`e.occurred_at >= ${this.moment(-withinDays)}`);
    for (const { path, test } of where) parts.push(this.json(test, 'e.attributes', path));
    return `FROM {events} e WHERE ${parts.join(' AND ')}`;
  }

  private field({ place, test }: FieldCondition): string {
    if (place.kind === 'json') return this.json(test, 'c.properties', place.path);
    return this.test(test, { kind: place.kind, column: `c.${snakeCase(place.field)}` });
  }

  private json(test: ValueTest, json: string, names: readonly string[]): string {
    const parameter = (key: string): string => this.parameter(key, 'text');
    const [only = ''] = names;
    if (names.length === 1) return this.test(test, { kind: 'json', json: `${json} -> ${parameter(only)}` });
    // OFFSET prevents the planner from copying the lookup to each use of the value.
    const value = valueSql(json, names, parameter);
    return `(SELECT ${this.test(test, { kind: 'json', json: 'found.value' })} FROM (SELECT ${value} AS value OFFSET 0) found)`;
  }

  private test(test: ValueTest, place: Place): string {
    switch (test.operator) {
      case 'exists':
        return this.present(place);
      case 'not_exists':
        return `NOT ${this.present(place)}`;
      case 'equals':
        return this.anyOf([test.value], place);
      case 'not_equals':
        return `(${this.anyOf([test.value], place)}) IS NOT TRUE`;
      case 'in':
        return this.anyOf(test.values, place);
      case 'not_in':
        return `(${this.anyOf(test.values, place)}) IS NOT TRUE`;
      case 'contains':
        return this.contains(test.text, place);
      case 'not_contains':
        return `(${this.contains(test.text, place)}) IS NOT TRUE`;
      case 'starts_with':
        return this.text(place, (text) => `starts_with(${text}, ${this.parameter(test.text, 'text')})`);
      case 'ends_with':
        return this.text(place, (text) => {
          const end = this.parameter(test.text, 'text');
          return `right(${text}, length(${end})) = ${end}`;
        });
      case 'greater_than':
        return this.number(place, '>', test.number);
      case 'greater_than_or_equal':
        return this.number(place, '>=', test.number);
      case 'less_than':
        return this.number(place, '<', test.number);
      case 'less_than_or_equal':
        return this.number(place, '<=', test.number);
      case 'before':
        return this.then(place, (at) => `${at} < ${this.parameter(test.moment, 'timestamptz')}`);
      case 'after':
        return this.then(place, (at) => `${at} > ${this.parameter(test.moment, 'timestamptz')}`);
      case 'on':
        return this.then(
          place,
          (at) => `(${at} AT TIME ZONE 'UTC')::date = ${this.parameter(test.day, 'date')}`,
        );
      case 'within_last_days':
        return this.then(place, (at) => `${at} BETWEEN ${this.moment(-test.days)} AND ${this.moment(0)}`);
      case 'more_than_days_ago':
        return this.then(place, (at) => `${at} < ${this.moment(-test.days)}`);
      case 'within_next_days':
        return this.then(place, (at) => `${at} BETWEEN ${this.moment(0)} AND ${this.moment(test.days)}`);
    }
  }

  private present(place: Place): string {
    if (place.kind !== 'json') return `(${place.column} IS NOT NULL)`;
    // As text, a JSON null becomes an SQL null.
    return `(${asText(place)} IS NOT NULL)`;
  }

  private anyOf(wanted: readonly Scalar[], place: Place): string {
    if (place.kind === 'moment') return 'false';
    const texts = wanted.filter((one) => typeof one === 'string').map(lowerCase);
    const numbers = wanted.filter(isNumber);
    const truths = wanted.filter((one) => typeof one === 'boolean');
    const parts: string[] = [];
    if (texts.length > 0) {
      const list = this.parameter(texts, 'text[]');
      if (place.kind === 'text') parts.push(`lower(${place.column}) = ANY (${list})`);
      if (place.kind === 'json')
        parts.push(`(lower(${asText(place)}) = ANY (${list}) AND jsonb_typeof(${asJson(place)}) = 'string')`);
    }
    if (place.kind === 'json' && numbers.length > 0)
      parts.push(numeric(place, `= ANY (${this.parameter(numbers.map(String), 'numeric[]')})`));
    if (place.kind === 'json' && truths.length > 0)
      parts.push(`${asJson(place)} = ANY (${this.parameter(truths.map(String), 'jsonb[]')})`);
    return parts.length > 0 ? `(${parts.join(' OR ')})` : 'false';
  }

  private contains(wanted: string, place: Place): string {
    if (place.kind === 'moment') return 'false';
    const part = this.parameter(wanted, 'text');
    if (place.kind === 'text') return `strpos(lower(${place.column}), ${part}) > 0`;
    const json = asJson(place);
    return `(CASE jsonb_typeof(${json})
      WHEN 'string' THEN strpos(lower(${asText(place)}), ${part}) > 0
      WHEN 'array' THEN EXISTS (SELECT FROM jsonb_array_elements(${json}) AS item
        WHERE jsonb_typeof(item) = 'string' AND lower(item #>> '{}') = ${part}) END)`;
  }

  private text(place: Place, ask: (text: string) => string): string {
    if (place.kind === 'moment') return 'false';
    if (place.kind === 'text') return ask(`lower(${place.column})`);
    return `(jsonb_typeof(${asJson(place)}) = 'string' AND ${ask(`lower(${asText(place)})`)})`;
  }

  private number(place: Place, operator: string, bound: number | ExactNumber): string {
    return place.kind === 'json'
      ? numeric(place, `${operator} ${this.parameter(String(bound), 'numeric')}`)
      : 'false';
  }

  private then(place: Place, ask: (moment: string) => string): string {
    if (place.kind === 'moment') return ask(place.column);
    if (place.kind === 'text') return ask(`(CASE ${ofText(place.column)} END)`);
    const json = asJson(place);
    return ask(`(CASE jsonb_typeof(${json}) WHEN 'string' THEN CASE ${ofText(asText(place))} END
      WHEN 'number' THEN ${ofCount(`${json}::numeric`)} END)`);
  }

  private moment(days: number): string {
    return this.parameter(new Date(this.around.now.getTime() + days * DAY), 'timestamptz');
  }

  private parameter(value: unknown, type: string): string {
    this.values.push(value);
    return `$${this.first + this.values.length - 1}::${type}`;
  }
}

type Place =
  | { readonly kind: 'text'; readonly column: string }
  | { readonly kind: 'moment'; readonly column: string }
  | JsonPlace;

interface JsonPlace {
  readonly kind: 'json';
  /** SQL expression of the value, as JSON. */
  readonly json: string;
}

function asJson({ json }: JsonPlace): string {
  return `(${json})`;
}

function asText({ json }: JsonPlace): string {
  return `((${json}) #>> '{}')`;
}

/**
 * The value at a path of names joined by dots, as kernel/key-path finds it: through members of objects, never through
 * lists.
 */
export function valueSql(json: string, names: readonly string[], parameter: (key: string) => string): string {
  const parameters = new Map<string, string>();
  const parameterOf = (key: string): string => {
    const before = parameters.get(key) ?? parameter(key);
    parameters.set(key, before);
    return before;
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
function ofText(text: string): string {
  const plain = `regexp_replace(replace(btrim(${text}), ',', '.'), '([.][0-9]{3})[0-9]+', '\\1')`;
  const offset = `CASE WHEN length(btrim(${text})) = ${DATE_LENGTH} THEN 'T00:00:00Z'
    WHEN btrim(${text}) ~ '${OFFSET_PATTERN}' THEN '' ELSE 'Z' END`;
  return `WHEN ${text} ~ '${MOMENT_PATTERN}' THEN (${plain} || ${offset})::timestamptz
    WHEN ${text} ~ '${COUNT_PATTERN}' THEN ${ofCount(`btrim(${text})::numeric`)}`;
}

/** Converts a number to a moment in days and milliseconds, since a double cannot hold all digits of their product. */
function ofCount(count: string): string {
  const milliseconds = `trunc(CASE WHEN abs(${count}) < ${FIRST_MILLISECONDS} THEN ${count} * 1000 ELSE ${count} END)`;
  return `(CASE WHEN ${milliseconds} BETWEEN ${EARLIEST} AND ${LATEST} THEN (timestamp '1970-01-01'
    + div(${milliseconds}, ${DAY})::int * interval '1 day'
    + (${milliseconds} % ${DAY})::int * interval '1 millisecond') AT TIME ZONE 'UTC' END)`;
}

function numeric(place: JsonPlace, comparison: string): string {
  const json = asJson(place);
  return `(CASE WHEN jsonb_typeof(${json}) = 'number' THEN ${json}::numeric ${comparison} END)`;
}
