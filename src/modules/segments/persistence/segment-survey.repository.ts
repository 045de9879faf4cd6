/** Who is in a segment at this moment, asked of the whole tenant by one statement. */
import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../kernel/domain-error.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { isOutOfTime } from '../../../platform/database/database.js';
import { Survey } from '../../../platform/database/survey.js';
import type { Evaluation } from '../domain/segment.js';
import { membersSql, type FilterSql } from './filter-sql.js';

@Injectable()
export class SegmentSurveyRepository {
  constructor(private readonly survey: Survey) {}

  /**
   * How many contacts the filter finds, and the newest of them. The filter's parameters start at the second.
   * @throws DomainError segment_too_costly when the database gives the question up.
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
      throw isOutOfTime(error) ? tooCostly() : error;
    }
  }
}

function tooCostly(): DomainError {
  return new DomainError(
    'segment_too_costly',
    'To look up whom the filter finds took too long: ask with fewer conditions, with equals or in instead of ' +
      'contains, of fewer days of events; or save it as a segment, whose members are looked up in the background.',
  );
}
