/** Stored refusals of mail, by digest. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { Database, type Transaction } from '../../../platform/database/database.js';

@Injectable()
export class RefusalRepository {
  constructor(private readonly database: Database) {}

  /** The fingerprints of all keys under which anything was ever stored. */
  async keysUsed(): Promise<Buffer[]> {
    const { rows } = await this.database.pool.query<{ fingerprint: Buffer }>(
      'SELECT fingerprint FROM refusal_keys',
    );
    return rows.map(({ fingerprint }) => fingerprint);
  }

  /** Whether anybody has ever refused. */
  async any(tx: Transaction, scope: TenantScope): Promise<boolean> {
    const rows = await tx.query(
      'SELECT 1 FROM refusals WHERE workspace_id = $1 AND environment = $2 LIMIT 1',
      [scope.workspaceId, scope.environment],
      'refusals-any',
    );
    return rows.length > 0;
  }

  /** Those of the digests, in hexadecimal digits, that have refused. */
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

  /** Notes that something is stored under a key, before it is. */
  async noteKey(tx: Transaction, fingerprint: Buffer): Promise<void> {
    await tx.execute('INSERT INTO refusal_keys (fingerprint) VALUES ($1) ON CONFLICT DO NOTHING', [
      fingerprint,
    ]);
  }

  /** Keeps refusals; of one that is known the first moment stays. */
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

  async rememberErased(
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

  /** What an erased contact was called; nothing of one that was erased before this was remembered. */
  async digestsOfErased(tx: Transaction, scope: TenantScope, contactId: string): Promise<Buffer[]> {
    const [row] = await tx.query<{ digests: Buffer[] }>(
      'SELECT digests FROM erased_contacts WHERE workspace_id = $1 AND environment = $2 AND contact_id = $3',
      [scope.workspaceId, scope.environment, contactId],
    );
    return row?.digests ?? [];
  }
}

/** How PostgreSQL reads bytes in hexadecimal digits. */
function asBytes(digits: string): string {
  return `\\x${digits}`;
}
