/** Evaluates a segment over a whole tenant with one read query. */
import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../kernel/domain-error.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { isTooCostly } from '../../../platform/database/database.js';
import { Survey } from '../../../platform/database/survey.js';
import type { AudienceMember } from '../domain/audience.js';
import type { Evaluation } from '../domain/segment.js';
import { membersSql, valueSql, whereSql, type FilterSql } from './filter-sql.js';

/** Members in memory at a time. */
const PART = 1_000;
/** Time limit for visiting all members, in milliseconds of real time. */
const WALK = 60_000;

@Injectable()
export class SegmentSurveyRepository {
  constructor(private readonly survey: Survey) {}

  /**
   * The number of contacts that match the filter, and the newest of them. The filter's parameters start at the
   * second.
   * @throws DomainError segment_too_costly if the database cancels the query.
   */
  async evaluate(scope: TenantScope, filter: FilterSql, most: number): Promise<Evaluation> {
    const sql = `WITH inside AS MATERIALIZED (${membersSql(filter)})
      SELECT (SELECT count(*)::int FROM inside) AS count,
        ARRAY(SELECT id FROM inside ORDER BY id DESC LIMIT $1) AS sample`;
    const values = [most, ...filter.values];
    const ask = filter.joins === '' ? 'query' : 'queryAll';
    try {
      const [row] = await this.survey[ask]<Evaluation & object>(scope, sql, values);
      return row ?? { count: 0, sample: [] };
    } catch (error) {
      throw isTooCostly(error) ? tooCostly() : error;
    }
  }

  /** Whether contacts have the property, and all of them as text. */
  async holdsOnlyTexts(scope: TenantScope, path: readonly string[]): Promise<boolean> {
    const keys: string[] = [];
    const value = valueSql('c.properties', path, (key) => `$${keys.push(key)}::text`);
    const isOf = (type: string): string =>
      `EXISTS (SELECT FROM {contacts} c WHERE c.subscription_status <> 'deleted' AND jsonb_typeof(${value}) = '${type}')`;
    const sql = `SELECT ${isOf('string')} AND NOT ${isOf('number')} AS "isText"`;
    try {
      const [row] = await this.survey.query<{ isText: boolean }>(scope, sql, keys);
      return row?.isText === true;
    } catch (error) {
      throw isTooCostly(error) ? tooCostly() : error;
    }
  }

  /**
   * Visits all contacts that match the filter, each once, in the order of their ids and in chunks.
   * @throws DomainError segment_too_costly if it takes longer than a minute, or the database cancels it; and as
   *   `Survey.walk`.
   */
  async walk(
    scope: TenantScope,
    filter: FilterSql,
    visit: (members: readonly AudienceMember[]) => Promise<void>,
  ): Promise<void> {
    const impatience = AbortSignal.timeout(WALK);
    const members = `SELECT c.id, c.external_id AS "externalId", c.email, c.subscription_status AS "subscriptionStatus",
      c.timezone ${whereSql(filter)} ORDER BY c.id`;
    try {
      await this.survey.walk<AudienceMember & object>(scope, members, filter.values, PART, async (part) => {
        if (impatience.aborted) throw tooCostly();
        await visit(part);
      });
    } catch (error) {
      throw isTooCostly(error) ? tooCostly() : error;
    }
  }
}

function tooCostly(): DomainError {
  return new DomainError(
    'segment_too_costly',
    'Evaluating the filter took too long: use fewer conditions, equals or in instead of contains, or fewer ' +
      'days of events. Or save it as a segment, whose members are evaluated in the background.',
  );
}
