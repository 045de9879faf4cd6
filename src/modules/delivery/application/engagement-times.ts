/** Statistics about when people open and click, for planning sends. */
import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../kernel/domain-error.js';
import { DAY } from '../../../kernel/duration.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { isTooCostly } from '../../../platform/database/database.js';
import {
  type EngagementTimesQuery,
  type EngagementTimes,
  EngagementTimesRepository,
} from '../persistence/engagement-times.repository.js';

/** How long before the period a message may have been created for its first open to count, in milliseconds. */
const MAX_OPEN_DELAY_MS = 30 * DAY;

@Injectable()
export class MessageEngagementTimes {
  constructor(private readonly times: EngagementTimesRepository) {}

  /**
   * The first open and the first click by a person for each message to these contacts, by weekday and hour of a time
   * zone. Messages of any origin count.
   * @param query `people` is a condition on `c`, a row of contacts, as segments provide it.
   * @throws DomainError segment_too_costly when reading all of them takes too long.
   */
  async of(scope: TenantScope, query: Omit<EngagementTimesQuery, 'madeFrom'>): Promise<EngagementTimes> {
    try {
      const madeFrom = new Date(query.from.getTime() - MAX_OPEN_DELAY_MS);
      return await this.times.of(scope, { ...query, madeFrom });
    } catch (error) {
      if (!isTooCostly(error)) throw error;
      throw new DomainError(
        'segment_too_costly',
        'Calculating when contacts of the segment open and click took too long: use a smaller segment.',
      );
    }
  }
}
