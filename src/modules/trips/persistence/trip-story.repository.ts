/** Trips with their trails, for those who explain them; and what an erasure takes out of them. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { KeptTrip } from '../domain/kept-trip.js';
import { readTrail } from '../domain/trail.js';
import { STATE_COLUMNS } from './trip-columns.js';

type Row = Omit<KeptTrip, 'trail'> & { readonly trail: string };

@Injectable()
export class TripStoryRepository {
  async find(tx: Transaction, scope: TenantScope, id: string): Promise<KeptTrip | undefined> {
    const [row] = await tx.query<Row>(
      `SELECT ${STATE_COLUMNS}, t.trail FROM trips t WHERE workspace_id = $1 AND environment = $2 AND id = $3`,
      [scope.workspaceId, scope.environment, id],
    );
    return row && keptOf(row);
  }

  /** A contact's latest trips through a flow, the latest first. */
  async ofContact(
    tx: Transaction,
    scope: TenantScope,
    contactId: string,
    flowId: string,
    limit: number,
  ): Promise<KeptTrip[]> {
    const rows = await tx.query<Row>(
      `SELECT ${STATE_COLUMNS}, t.trail FROM trips t WHERE workspace_id = $1 AND environment = $2 AND contact_id = $3 AND flow_id = $4
       ORDER BY started_at DESC, id DESC LIMIT $5`,
      [scope.workspaceId, scope.environment, contactId, flowId, limit],
    );
    return rows.map(keptOf);
  }

  /**
   * Takes the values that were seen of a contact out of its trails (domain/trail: the last member of a line).
   * @returns how many trips had a trail.
   */
  async forgetValues(tx: Transaction, scope: TenantScope, contactId: string): Promise<number> {
    return tx.execute(
      `UPDATE trips SET trail = (
         SELECT coalesce(string_agg((line::jsonb - 4)::text || E'\\n', '' ORDER BY place), '')
         FROM string_to_table(trail, E'\\n') WITH ORDINALITY AS lines(line, place) WHERE line <> '')
       WHERE workspace_id = $1 AND environment = $2 AND contact_id = $3 AND trail <> ''`,
      [scope.workspaceId, scope.environment, contactId],
    );
  }
}

function keptOf({ trail, ...trip }: Row): KeptTrip {
  return { ...trip, trail: readTrail(trail) };
}
