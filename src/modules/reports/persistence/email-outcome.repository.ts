/** What became of messages, by day and by what had them sent, as PostgreSQL writes it: GET /v1/analytics/export. */
import { Injectable } from '@nestjs/common';
import type { Readable } from 'node:stream';
import type { DateRange } from '../../../kernel/date-range.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { earliestId } from '../../../kernel/uuid.js';
import { guarded } from '../../../platform/database/csv.js';
import { Survey } from '../../../platform/database/survey.js';

/**
 * A message counts on the day on which it was sent, and one that was held back on the day on which that was decided,
 * its last change. Ids grow with the time of creation, so those made after the period need not be read.
 */
const DECIDED = `
  SELECT l.source_id, CASE l.status WHEN 'sent' THEN l.sent_at WHEN 'suppressed' THEN l.updated_at END AS decided_at,
    l.status FROM {email_logs} l WHERE l.status IN ('sent', 'suppressed') AND l.id < $3`;

/** What follows a send is told by the provider's reports, of which none are taken in yet: nothing to count. */
const BY_DAY = `
  SELECT (d.decided_at AT TIME ZONE 'UTC')::date AS date, d.source_id,
    count(*) FILTER (WHERE d.status = 'sent') AS sent, 0 AS delivered, 0 AS opened, 0 AS clicked, 0 AS bounced,
    0 AS complained, count(*) FILTER (WHERE d.status = 'suppressed') AS suppressed
  FROM (${DECIDED}) AS d WHERE d.decided_at BETWEEN $1 AND $2 GROUP BY 1, 2`;

const ROWS = `
  SELECT b.date, CASE WHEN b.source_id IS NULL THEN 'direct' ELSE 'flow' END AS source_type, b.source_id,
    ${guarded('f.name')} AS source_name, b.sent, b.delivered, b.opened, b.clicked, b.bounced, b.complained, b.suppressed
  FROM (${BY_DAY}) AS b LEFT JOIN {flows} f ON f.id = b.source_id ORDER BY b.date, source_type, f.name, b.source_id`;

@Injectable()
export class EmailOutcomeRepository {
  constructor(private readonly survey: Survey) {}

  /** CSV with a header; a row for each UTC day and source that had a message sent or suppressed in the period. */
  async csv(scope: TenantScope, { from, to }: DateRange): Promise<Readable> {
    const nextId = earliestId(new Date(to.getTime() + 1));
    return this.survey.copy(scope, ROWS, [from, to, nextId], 'FORMAT csv, HEADER true');
  }
}
