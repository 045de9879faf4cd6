/** Evaluates a segment over a whole tenant with one read query. */
import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../kernel/domain-error.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { isTooCostly } from '../../../platform/database/database.js';
import { ReaderDatabase } from '../../../platform/database/reader-database.js';
import type { AudienceMember } from '../domain/audience.js';
import type { Evaluation } from '../domain/segment.js';
import { membersSql, valueSql, whereSql, type FilterSql } from './filter-sql.js';

/** Members in memory at a time. */
const CHUNK_MEMBERS = 1_000;
/** Time limit for visiting all members, in milliseconds of real time. */
const VISIT_TIMEOUT_MS = 60_000;

@Injectable()
export class SegmentEvaluationRepository {
  constructor(private readonly reader: ReaderDatabase) {}

  /**
   * The number of contacts that match the filter, and the newest of them. The filter's parameters start at the
   * second.
   * @throws DomainError segment_too_costly if the database cancels the query.
   */
  async evaluate(scope: TenantScope, filter: FilterSql, limit: number): Promise<Evaluation> {
    const sql = `WITH inside AS MATERIALIZED (${membersSql(filter)})
      SELECT (SELECT count(*)::int FROM inside) AS count,
        ARRAY(SELECT id FROM inside ORDER BY id DESC LIMIT $1) AS sample`;
    const values = [limit, ...filter.values];
    const method = filter.joins === '' ? 'query' : 'queryAll';
    try {
      const [row] = await this.reader[method]<Evaluation & object>(scope, sql, values);
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
      const [row] = await this.reader.query<{ isText: boolean }>(scope, sql, keys);
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
  async visitMembers(
    scope: TenantScope,
    filter: FilterSql,
    visit: (members: readonly AudienceMember[]) => Promise<void>,
  ): Promise<void> {
    const timeout = AbortSignal.timeout(VISIT_TIMEOUT_MS);
    const members = `SELECT c.id, c.external_id AS "externalId", c.email, c.subscription_status AS "subscriptionStatus",
      c.timezone ${whereSql(filter)} ORDER BY c.id`;
    try {
      await this.reader.walk<AudienceMember & object>(
        scope,
        members,
        filter.values,
        CHUNK_MEMBERS,
        async (chunk) => {
          if (timeout.aborted) throw tooCostly();
          await visit(chunk);
        },
      );
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
