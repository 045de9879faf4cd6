/** Stored opt-outs, by digest. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { Database, type Transaction } from '../../../platform/database/database.js';

@Injectable()
export class OptOutRepository {
  constructor(private readonly database: Database) {}

  /** The fingerprints of all keys under which anything was ever stored. */
  async usedKeys(): Promise<Buffer[]> {
    const { rows } = await this.database.pool.query<{ fingerprint: Buffer }>(
      'SELECT fingerprint FROM refusal_keys',
    );
    return rows.map(({ fingerprint }) => fingerprint);
  }

  /** Whether the tenant has any opt-outs. */
  async any(tx: Transaction, scope: TenantScope): Promise<boolean> {
    const rows = await tx.query(
      'SELECT 1 FROM refusals WHERE workspace_id = $1 AND environment = $2 LIMIT 1',
      [scope.workspaceId, scope.environment],
      'refusals-any',
    );
    return rows.length > 0;
  }

  /** Those of the digests, in hexadecimal, that have opted out. */
  async among(tx: Transaction, scope: TenantScope, digests: readonly string[]): Promise<string[]> {
    if (digests.length === 0) return [];
    const rows = await tx.query<{ digest: string }>(
      `SELECT encode(digest, 'hex') AS digest FROM refusals
       WHERE workspace_id = $1 AND environment = $2 AND digest = ANY ($3::bytea[])`,
      [scope.workspaceId, scope.environment, digests.map(asBytes)],
      'refusals-among',
    );
    return rows.map(({ digest }) => digest);
  }

  /** Records a key before anything is stored under it. */
  async recordKey(tx: Transaction, fingerprint: Buffer): Promise<void> {
    await tx.execute('INSERT INTO refusal_keys (fingerprint) VALUES ($1) ON CONFLICT DO NOTHING', [
      fingerprint,
    ]);
  }

  /** Stores opt-outs; an existing one keeps its first time. */
  async insert(tx: Transaction, scope: TenantScope, digests: readonly Buffer[], now: Date): Promise<void> {
    if (digests.length === 0) return;
    await tx.execute(
      `INSERT INTO refusals (workspace_id, environment, digest, refused_at)
       SELECT $1, $2, digest, $4 FROM unnest($3::bytea[]) AS digest ORDER BY digest ON CONFLICT DO NOTHING`,
      [scope.workspaceId, scope.environment, digests, now],
    );
  }

  /** @returns how many there were. */
  async remove(tx: Transaction, scope: TenantScope, digests: readonly string[]): Promise<number> {
    return tx.execute(
      'DELETE FROM refusals WHERE workspace_id = $1 AND environment = $2 AND digest = ANY ($3::bytea[])',
      [scope.workspaceId, scope.environment, digests.map(asBytes)],
    );
  }

  async storeErased(
    tx: Transaction,
    scope: TenantScope,
    contactId: string,
    digests: readonly Buffer[],
  ): Promise<void> {
    await tx.execute(
      'INSERT INTO erased_contacts (workspace_id, environment, contact_id, digests) VALUES ($1, $2, $3, $4)',
      [scope.workspaceId, scope.environment, contactId, digests],
    );
  }

  /** The digests of an erased contact's names; empty if it was erased before such digests were stored. */
  async digestsOfErased(tx: Transaction, scope: TenantScope, contactId: string): Promise<Buffer[]> {
    const [row] = await tx.query<{ digests: Buffer[] }>(
      'SELECT digests FROM erased_contacts WHERE workspace_id = $1 AND environment = $2 AND contact_id = $3',
      [scope.workspaceId, scope.environment, contactId],
    );
    return row?.digests ?? [];
  }
}

/** SQL that decodes hexadecimal digits to bytes. */
function asBytes(digits: string): string {
  return `\\x${digits}`;
}
