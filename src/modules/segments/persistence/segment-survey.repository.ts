/** Who is in a segment at this moment, asked of the whole tenant by one statement. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { Survey } from '../../../platform/database/survey.js';
import type { Evaluation } from '../domain/segment.js';
import { membersSql, type FilterSql } from './filter-sql.js';

@Injectable()
export class SegmentSurveyRepository {
  constructor(private readonly survey: Survey) {}

  /** How many contacts the filter finds, and the newest of them. The filter's parameters start at the second. */
  async evaluate(scope: TenantScope, filter: FilterSql, most: number): Promise<Evaluation> {
    const sql = `WITH inside AS MATERIALIZED (${membersSql(filter)})
      SELECT (SELECT count(*)::int FROM inside) AS count,
        ARRAY(SELECT id FROM inside ORDER BY id DESC LIMIT $1) AS sample`;
    const values = [most, ...filter.values];
    const [row] =
      filter.joins === ''
        ? await this.survey.query<Evaluation & object>(scope, sql, values)
        : await this.survey.queryAll<Evaluation & object>(scope, sql, values);
    return row ?? { count: 0, sample: [] };
  }
}
