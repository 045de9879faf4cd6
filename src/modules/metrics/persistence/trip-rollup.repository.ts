/** Trip counts: rollups, pending deltas, and trips outside whole hours. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { momentArray } from '../../../platform/database/array-parameters.js';
import type { Transaction } from '../../../platform/database/database.js';
import { LEVELS, type PeriodParts, type Span } from '../domain/rollup.js';

const STARTED = `
  SELECT ((SELECT coalesce(sum(r.trips), 0) FROM unnest($4::timestamptz[], $5::timestamptz[]) AS span("from", until)
      JOIN trip_rollups r ON r.workspace_id = $1 AND r.environment = $2 AND r.level = ${LEVELS.day} AND r.flow_id = $3
        AND r.at >= span."from" AND r.at < span.until)
    + (SELECT coalesce(sum(r.trips), 0) FROM unnest($6::timestamptz[], $7::timestamptz[]) AS span("from", until)
      JOIN trip_rollups r ON r.workspace_id = $1 AND r.environment = $2 AND r.level = ${LEVELS.hour} AND r.flow_id = $3
        AND r.at >= span."from" AND r.at < span.until)
    + (SELECT coalesce(sum(c.trips), 0) FROM unnest($4::timestamptz[] || $6::timestamptz[], $5::timestamptz[] || $7::timestamptz[]) AS span("from", until)
      JOIN trip_changes c ON c.workspace_id = $1 AND c.environment = $2 AND c.flow_id = $3
        AND c.at >= span."from" AND c.at < span.until)
    + (SELECT count(*) FROM unnest($8::timestamptz[], $9::timestamptz[]) AS span("from", until)
      JOIN trips t ON t.workspace_id = $1 AND t.environment = $2 AND t.flow_id = $3
        AND t.started_at >= span."from" AND t.started_at < span.until))::float8 AS started`;

@Injectable()
export class TripRollupRepository {
  /** Returns how many trips of a flow started in a period. */
  async startedWithin(
    tx: Transaction,
    scope: TenantScope,
    flowId: string,
    { days, hours, rest }: PeriodParts,
  ): Promise<number> {
    const bounds = [days, hours, rest].flatMap((spans) => [
      momentArray(spans.map(({ from }: Span) => from)),
      momentArray(spans.map(({ until }: Span) => until)),
    ]);
    const [row] = await tx.query<{ started: number }>(
      STARTED,
      [scope.workspaceId, scope.environment, flowId, ...bounds],
      'trips-started-within',
    );
    return row?.started ?? 0;
  }
}
