/** The addresses that an audience already contains, while it is being taken. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { uuidArray } from '../../../platform/database/array-parameters.js';
import type { Transaction } from '../../../platform/database/database.js';

@Injectable()
export class CampaignAddressRepository {
  /** Returns the given addresses that the audience contains. */
  async among(
    tx: Transaction,
    scope: TenantScope,
    instanceId: string,
    addresses: readonly string[],
  ): Promise<Set<string>> {
    if (addresses.length === 0) return new Set();
    const rows = await tx.query<{ readonly address: string }>(
      `SELECT address FROM campaign_addresses
       WHERE workspace_id = $1 AND environment = $2 AND instance_id = $3 AND address = ANY ($4::uuid[])`,
      [scope.workspaceId, scope.environment, instanceId, uuidArray(addresses)],
      'campaign-addresses-among',
    );
    return new Set(rows.map(({ address }) => address));
  }

  /** Adds addresses. An address that exists is the caller's mistake, and rolls back the transaction. */
  async insert(
    tx: Transaction,
    scope: TenantScope,
    instanceId: string,
    addresses: readonly string[],
  ): Promise<void> {
    if (addresses.length === 0) return;
    await tx.execute(
      `INSERT INTO campaign_addresses (workspace_id, environment, instance_id, address)
       SELECT $1, $2, $3, address FROM unnest($4::uuid[]) AS address ORDER BY address`,
      [scope.workspaceId, scope.environment, instanceId, uuidArray(addresses)],
      'campaign-addresses-insert',
    );
  }

  /** Deletes up to `limit` addresses of an audience; returns the number deleted. */
  async deleteBatch(tx: Transaction, scope: TenantScope, instanceId: string, limit: number): Promise<number> {
    return tx.execute(
      `DELETE FROM campaign_addresses WHERE workspace_id = $1 AND environment = $2 AND instance_id = $3
         AND address = ANY (ARRAY(SELECT address FROM campaign_addresses
           WHERE workspace_id = $1 AND environment = $2 AND instance_id = $3 ORDER BY address LIMIT $4))`,
      [scope.workspaceId, scope.environment, instanceId, limit],
      'campaign-addresses-forget',
    );
  }
}
