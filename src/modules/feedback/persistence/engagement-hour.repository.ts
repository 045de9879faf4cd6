/** The figures of what became of messages. */
import { Injectable } from '@nestjs/common';
import { integerArray, momentArray, uuidArray } from '../../../platform/database/array-parameters.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { EngagementChange } from '../domain/engagement-tally.js';

@Injectable()
export class EngagementHourRepository {
  /** Adds to the figures. Who else adds to the same ones waits until the transaction ends, so it is the last that one does. */
  async add(tx: Transaction, scope: TenantScope, changes: readonly EngagementChange[]): Promise<void> {
    if (changes.length === 0) return;
    await tx.execute(
      `INSERT INTO engagement_hours AS n (workspace_id, environment, source_id, hour, delivered, opened, clicked, bounced,
         hard_bounced, complained)
       SELECT $1, $2, u.* FROM unnest($3::uuid[], $4::timestamptz[], $5::int[], $6::int[], $7::int[], $8::int[], $9::int[],
         $10::int[]) AS u
       ON CONFLICT (workspace_id, environment, source_id, hour) DO UPDATE SET delivered = n.delivered + excluded.delivered,
         opened = n.opened + excluded.opened, clicked = n.clicked + excluded.clicked,
         bounced = n.bounced + excluded.bounced, hard_bounced = n.hard_bounced + excluded.hard_bounced,
         complained = n.complained + excluded.complained`,
      [
        scope.workspaceId,
        scope.environment,
        uuidArray(changes.map(({ sourceId }) => sourceId)),
        momentArray(changes.map(({ hour }) => hour)),
        integerArray(changes.map(({ delivered }) => delivered)),
        integerArray(changes.map(({ opened }) => opened)),
        integerArray(changes.map(({ clicked }) => clicked)),
        integerArray(changes.map(({ bounced }) => bounced)),
        integerArray(changes.map(({ hardBounced }) => hardBounced)),
        integerArray(changes.map(({ complained }) => complained)),
      ],
      'engagement-hours-add',
    );
  }
}
