/** The days for whose messages a provider reported deliveries, opens or clicks. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { ReportedDay, ReportedKind, TimeSpan } from '../domain/reported-events.js';

@Injectable()
export class ProviderEventDayRepository {
  /** Adds days; existing ones do not change. Always in the same order, to avoid deadlocks. */
  async add(tx: Transaction, scope: TenantScope, days: readonly ReportedDay[]): Promise<void> {
    if (days.length === 0) return;
    await tx.execute(
      `INSERT INTO provider_event_days (workspace_id, environment, kind, day)
       SELECT DISTINCT $1::uuid, $2::text, t.kind, t.day FROM unnest($3::text[], $4::date[]) AS t(kind, day)
       WHERE NOT EXISTS (SELECT FROM provider_event_days k
         WHERE k.workspace_id = $1 AND k.environment = $2 AND k.kind = t.kind AND k.day = t.day)
       ORDER BY 3, 4 ON CONFLICT DO NOTHING`,
      [scope.workspaceId, scope.environment, days.map(({ kind }) => kind), days.map(({ day }) => day)],
      'provider-event-days-add',
    );
  }

  /** The kinds reported for any day of the spans; partial days count in full. */
  async within(
    tx: Transaction,
    scope: TenantScope,
    spans: readonly TimeSpan[],
  ): Promise<{ readonly index: number; readonly kind: ReportedKind }[]> {
    if (spans.length === 0) return [];
    return tx.query<{ readonly index: number; readonly kind: ReportedKind }>(
      `SELECT DISTINCT (s.index - 1)::int AS index, e.kind
       FROM unnest($3::timestamptz[], $4::timestamptz[]) WITH ORDINALITY AS s(since, until, index)
       JOIN provider_event_days e ON e.workspace_id = $1 AND e.environment = $2
         AND e.day BETWEEN (s.since AT TIME ZONE 'UTC')::date AND (s.until AT TIME ZONE 'UTC')::date`,
      [scope.workspaceId, scope.environment, spans.map(({ from }) => from), spans.map(({ until }) => until)],
      'provider-event-days-within',
    );
  }
}
