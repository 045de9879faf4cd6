/** Message outcomes by day and source, as CSV that PostgreSQL writes: GET /v1/analytics/export. */
import { Injectable } from '@nestjs/common';
import type { Readable } from 'node:stream';
import type { DateRange } from '../../../kernel/date-range.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { earliestId } from '../../../kernel/uuid.js';
import { escapeFormulaSql } from '../../../platform/database/escape-formula.js';
import { ReaderDatabase } from '../../../platform/database/reader-database.js';

/**
 * A message counts on the day it was sent; a suppressed message counts on the day of that decision, its last change.
 * Ids grow with creation time, so messages created after the period need not be read.
 */
const DECIDED = `
  SELECT l.source_id, CASE l.status WHEN 'sent' THEN l.sent_at WHEN 'suppressed' THEN l.updated_at END AS decided_at,
    l.status, l.delivered_at, coalesce(l.opened_at, l.clicked_at) AS opened_at, l.clicked_at,
    CASE WHEN l.bounce_kind = 'hard' OR l.delivered_at IS NULL OR l.delivered_at < l.bounced_at THEN l.bounced_at END AS bounced_at,
    l.complained_at FROM {email_logs} l WHERE l.status IN ('sent', 'suppressed') AND l.id < $3`;

/** Counts each message once, without opens and clicks by machines: as `figuresOf` (delivery/domain/engagement). */
const BY_DAY = `
  SELECT (d.decided_at AT TIME ZONE 'UTC')::date AS date, d.source_id,
    count(*) FILTER (WHERE d.status = 'sent') AS sent, count(d.delivered_at) AS delivered, count(d.opened_at) AS opened,
    count(d.clicked_at) AS clicked, count(d.bounced_at) AS bounced, count(d.complained_at) AS complained, count(*) FILTER (WHERE d.status = 'suppressed') AS suppressed
  FROM (${DECIDED}) AS d WHERE d.decided_at BETWEEN $1 AND $2 GROUP BY 1, 2`;

const ROWS = `
  SELECT b.date, CASE WHEN b.source_id IS NULL THEN 'direct' WHEN c.id IS NULL THEN 'flow' ELSE 'campaign' END AS source_type,
    b.source_id, ${escapeFormulaSql('coalesce(f.name, c.name)')} AS source_name, b.sent, b.delivered, b.opened, b.clicked, b.bounced, b.complained, b.suppressed
  FROM (${BY_DAY}) AS b LEFT JOIN {flows} f ON f.id = b.source_id
  LEFT JOIN {campaigns} c ON c.id = b.source_id ORDER BY b.date, source_type, coalesce(f.name, c.name), b.source_id`;

@Injectable()
export class EmailOutcomeRepository {
  constructor(private readonly reader: ReaderDatabase) {}

  /** Returns CSV with a header: a row for each UTC day and source with a message sent or suppressed in the period. */
  async csv(scope: TenantScope, { from, to }: DateRange): Promise<Readable> {
    const nextId = earliestId(new Date(to.getTime() + 1));
    return this.reader.copy(scope, ROWS, [from, to, nextId], 'FORMAT csv, HEADER true');
  }
}
