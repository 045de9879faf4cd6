/** Storage of sending domains with their keys. */
import { Injectable } from '@nestjs/common';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { DkimKey, SendingDomain } from '../domain/sending-domain.js';
import { DkimKeyEntity } from './dkim-key.entity.js';
import { SendingDomainEntity } from './sending-domain.entity.js';

/** A key with its private half, as it is stored. */
export interface StoredKey extends DkimKey {
  readonly domainId: string;
  readonly sealedPrivateKey: string;
}

type DomainRow = Omit<SendingDomain, 'keys'>;

const FIELDS = `id, domain, token, status, status_since AS "statusSince", is_held_elsewhere AS "isHeldElsewhere",
  verified_at AS "verifiedAt", findings, checked_at AS "checkedAt", check_at AS "checkAt", created_at AS "createdAt",
  updated_at AS "updatedAt"`;

const KEY_FIELDS = `id, domain_id AS "domainId", selector, public_key AS "publicKey", role, retire_at AS "retireAt",
  created_at AS "createdAt"`;

@Injectable()
export class SendingDomainRepository {
  /** At most `limit` domains of the workspace, oldest first; with `after`, an id, those that follow it. */
  async list(
    tx: Transaction,
    scope: WorkspaceScope,
    limit: number,
    after: string | null = null,
  ): Promise<SendingDomain[]> {
    const rows = await tx.query<DomainRow>(
      `SELECT ${FIELDS} FROM sending_domains WHERE workspace_id = $1 AND ($3::uuid IS NULL OR id > $3)
       ORDER BY id LIMIT $2`,
      [scope.workspaceId, limit, after],
    );
    return this.withKeys(tx, scope, rows);
  }

  /** A domain of the workspace, locked until the transaction ends; undefined when there is none of that id. */
  async lock(tx: Transaction, scope: WorkspaceScope, id: string): Promise<SendingDomain | undefined> {
    const rows = await tx.query<DomainRow>(
      `SELECT ${FIELDS} FROM sending_domains WHERE workspace_id = $1 AND id = $2 FOR UPDATE`,
      [scope.workspaceId, id],
    );
    return (await this.withKeys(tx, scope, rows))[0];
  }

  /** The domain of that name; undefined when the workspace has none. */
  async named(tx: Transaction, scope: WorkspaceScope, domain: string): Promise<SendingDomain | undefined> {
    const rows = await tx.query<DomainRow>(
      `SELECT ${FIELDS} FROM sending_domains WHERE workspace_id = $1 AND domain = $2`,
      [scope.workspaceId, domain],
    );
    return (await this.withKeys(tx, scope, rows))[0];
  }

  /** The number of domains of the workspace. Blocks concurrent additions until the transaction ends. */
  async countLocked(tx: Transaction, scope: WorkspaceScope): Promise<number> {
    await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
      `sending_domains ${scope.workspaceId}`,
    ]);
    const [row] = await tx.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM sending_domains WHERE workspace_id = $1',
      [scope.workspaceId],
    );
    return row?.count ?? 0;
  }

  async insert(tx: Transaction, { workspaceId }: WorkspaceScope, domain: SendingDomain): Promise<void> {
    const { keys: _keys, ...columns } = domain;
    await tx.manager.insert(SendingDomainEntity, { ...columns, workspaceId });
  }

  async insertKey(tx: Transaction, { workspaceId }: WorkspaceScope, key: StoredKey): Promise<void> {
    await tx.manager.insert(DkimKeyEntity, { ...key, workspaceId });
  }

  /**
   * Stores a locked domain and its keys; stored keys that it no longer has are deleted.
   * @returns false, with nothing stored, when another workspace holds the domain.
   */
  async store(tx: Transaction, scope: WorkspaceScope, domain: SendingDomain): Promise<boolean> {
    try {
      await tx.inSavepoint(() => this.update(tx, scope, domain));
      return true;
    } catch (error) {
      const { code, constraint } = error as { readonly code?: string; readonly constraint?: string };
      if (code === '23505' && constraint === 'sending_domains_held') return false;
      throw error;
    }
  }

  async remove(tx: Transaction, scope: WorkspaceScope, id: string): Promise<void> {
    await tx.execute('DELETE FROM dkim_keys WHERE workspace_id = $1 AND domain_id = $2', [
      scope.workspaceId,
      id,
    ]);
    await tx.execute('DELETE FROM sending_domains WHERE workspace_id = $1 AND id = $2', [
      scope.workspaceId,
      id,
    ]);
  }

  /** Domains with due checks, the longest due first. */
  async due(tx: Transaction, scope: WorkspaceScope, now: Date, limit: number): Promise<SendingDomain[]> {
    const rows = await tx.query<DomainRow>(
      `SELECT ${FIELDS} FROM sending_domains WHERE workspace_id = $1 AND check_at <= $2 ORDER BY check_at LIMIT $3`,
      [scope.workspaceId, now, limit],
    );
    return this.withKeys(tx, scope, rows);
  }

  /**
   * Moves the due check of a domain to another moment, or cancels it.
   * @returns whether one was due.
   */
  async postpone(
    tx: Transaction,
    scope: WorkspaceScope,
    id: string,
    now: Date,
    checkAt: Date | null,
  ): Promise<boolean> {
    const count = await tx.execute(
      'UPDATE sending_domains SET check_at = $4 WHERE workspace_id = $1 AND id = $2 AND check_at <= $3',
      [scope.workspaceId, id, now, checkAt],
    );
    return count > 0;
  }

  /**
   * Schedules a check for a domain that is no longer checked.
   * @returns whether the domain was one of these.
   */
  async requeueCheck(tx: Transaction, scope: WorkspaceScope, id: string, now: Date): Promise<boolean> {
    const count = await tx.execute(
      'UPDATE sending_domains SET check_at = $3 WHERE workspace_id = $1 AND id = $2 AND check_at IS NULL',
      [scope.workspaceId, id, now],
    );
    return count > 0;
  }

  /** The keys in this role with their private halves, by domain. */
  async storedKeys(
    tx: Transaction,
    scope: WorkspaceScope,
    role: DkimKey['role'],
  ): Promise<Map<string, StoredKey>> {
    const rows = await tx.query<StoredKey>(
      `SELECT ${KEY_FIELDS}, sealed_private_key AS "sealedPrivateKey" FROM dkim_keys
       WHERE workspace_id = $1 AND role = $2`,
      [scope.workspaceId, role],
    );
    return new Map(rows.map((row) => [row.domainId, row]));
  }

  /** The keys of a domain with their private halves. */
  async keysOf(tx: Transaction, scope: WorkspaceScope, domainId: string): Promise<StoredKey[]> {
    return tx.query<StoredKey>(
      `SELECT ${KEY_FIELDS}, sealed_private_key AS "sealedPrivateKey" FROM dkim_keys
       WHERE workspace_id = $1 AND domain_id = $2`,
      [scope.workspaceId, domainId],
    );
  }

  /** Stores the resealed private half of a key. */
  async storeSeal(tx: Transaction, scope: WorkspaceScope, key: StoredKey): Promise<void> {
    const { id, sealedPrivateKey } = key;
    await tx.manager.update(DkimKeyEntity, { workspaceId: scope.workspaceId, id }, { sealedPrivateKey });
  }

  private async update(tx: Transaction, scope: WorkspaceScope, domain: SendingDomain): Promise<void> {
    const { workspaceId } = scope;
    const { keys, id, createdAt: _created, ...columns } = domain;
    await tx.manager.update(SendingDomainEntity, { workspaceId, id }, columns);
    for (const { id: keyId, role, retireAt } of keys)
      await tx.manager.update(DkimKeyEntity, { workspaceId, id: keyId }, { role, retireAt });
    await tx.execute(
      'DELETE FROM dkim_keys WHERE workspace_id = $1 AND domain_id = $2 AND NOT id = ANY ($3::uuid[])',
      [workspaceId, id, keys.map((key) => key.id)],
    );
  }

  private async withKeys(
    tx: Transaction,
    scope: WorkspaceScope,
    rows: readonly DomainRow[],
  ): Promise<SendingDomain[]> {
    if (rows.length === 0) return [];
    const keys = await tx.query<DkimKey & { readonly domainId: string }>(
      `SELECT ${KEY_FIELDS} FROM dkim_keys WHERE workspace_id = $1 AND domain_id = ANY ($2::uuid[]) ORDER BY id`,
      [scope.workspaceId, rows.map(({ id }) => id)],
    );
    return rows.map((row) => ({
      ...row,
      keys: keys.flatMap(({ domainId, ...key }) => (domainId === row.id ? [key] : [])),
    }));
  }
}
