/** Storage of API keys. */
import { Injectable } from '@nestjs/common';
import { IsNull, MoreThan } from 'typeorm';
import { sliceOf, type Slice, type WantedPage } from '../../../kernel/place.js';
import type { KeyScope } from '../../../kernel/principal.js';
import type { Environment, WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import type { ApiKey } from '../domain/api-key.js';
import { ApiKeyEntity } from './api-key.entity.js';

@Injectable()
export class ApiKeyRepository {
  constructor(private readonly database: Database) {}

  /** The key of that digest, revoked or not, with the digest that is stored. */
  async findByHash(keyHash: string): Promise<{ key: ApiKey; hash: string } | undefined> {
    return this.database.withProof({ keyHash }, async ({ manager }) => {
      const row = await manager.findOneBy(ApiKeyEntity, { keyHash });
      return row ? { key: recordOf(row), hash: row.keyHash } : undefined;
    });
  }

  /** Whether the workspace has a key that is not revoked. */
  async hasUsable(tx: Transaction, scope: WorkspaceScope): Promise<boolean> {
    return (await countOf(tx, scope)) > 0;
  }

  /** All keys of the workspace, oldest first. */
  async list(scope: WorkspaceScope): Promise<ApiKey[]> {
    return this.database.inScope(scope, async ({ manager }) => {
      const rows = await manager.find(ApiKeyEntity, {
        where: { workspaceId: scope.workspaceId },
        order: { createdAt: 'ASC', id: 'ASC' },
      });
      return rows.map(recordOf);
    });
  }

  /** A page of them. Ids grow with the time at which they are given. */
  async page(scope: WorkspaceScope, { first, after }: WantedPage): Promise<Slice<ApiKey>> {
    return this.database.listInScope(scope, async ({ manager }) => {
      const rows = await manager.find(ApiKeyEntity, {
        where: { workspaceId: scope.workspaceId, ...(after ? { id: MoreThan(after.id) } : {}) },
        order: { id: 'ASC' },
        take: first + 1,
      });
      return sliceOf(rows.map(recordOf), first);
    });
  }

  /**
   * Stores a key after `admit` has been told how many the workspace has that are not revoked; when `admit` throws,
   * nothing is stored; `announce` is called in the same transaction. Workspaces add keys one at a time, so that two cannot both be the last one allowed.
   */
  async add(
    scope: WorkspaceScope,
    key: ApiKey,
    hash: string,
    admit: (current: number) => void,
    announce: (tx: Transaction) => Promise<void>,
  ): Promise<void> {
    await this.database.inScope(scope, async (transaction) => {
      await transaction.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
        `api_keys ${scope.workspaceId}`,
      ]);
      admit(await countOf(transaction, scope));
      await transaction.manager.insert(ApiKeyEntity, {
        workspaceId: scope.workspaceId,
        id: key.id,
        name: key.name,
        scope: key.scope,
        environment: key.environment,
        keyHash: hash,
        keyHint: key.hint,
        rateLimitPerMinute: key.rateLimitPerMinute,
        revokedAt: null,
        createdAt: key.createdAt,
      });
      await announce(transaction);
    });
  }

  /** Stores another digest of the same key, unless somebody else has. */
  async rehash({ workspaceId, id }: ApiKey, from: string, to: string): Promise<void> {
    await this.database.inScope({ workspaceId }, (transaction) =>
      transaction.execute(
        'UPDATE api_keys SET key_hash = $4 WHERE workspace_id = $1 AND id = $2 AND key_hash = $3',
        [workspaceId, id, from, to],
      ),
    );
  }

  /**
   * Revokes a key, and calls `announce` in the same transaction; one that is revoked stays as it is, and nobody is told.
   * Undefined when there is no such key.
   */
  async revoke(
    scope: WorkspaceScope,
    id: string,
    now: Date,
    announce: (tx: Transaction, key: ApiKey) => Promise<void>,
  ): Promise<ApiKey | undefined> {
    return this.database.inScope(scope, async (transaction) => {
      const { manager } = transaction;
      const key = { workspaceId: scope.workspaceId, id };
      const changed = await manager.update(ApiKeyEntity, { ...key, revokedAt: IsNull() }, { revokedAt: now });
      const row = await manager.findOneBy(ApiKeyEntity, key);
      if (!row) return undefined;
      if (changed.affected === 1) await announce(transaction, recordOf(row));
      return recordOf(row);
    });
  }
}

async function countOf(transaction: Transaction, scope: WorkspaceScope): Promise<number> {
  return transaction.manager.countBy(ApiKeyEntity, {
    workspaceId: scope.workspaceId,
    revokedAt: IsNull(),
  });
}

function recordOf(row: ApiKeyEntity): ApiKey {
  return {
    id: row.id,
    workspaceId: row.workspaceId,
    name: row.name,
    scope: row.scope as KeyScope,
    environment: row.environment as Environment,
    hint: row.keyHint,
    rateLimitPerMinute: row.rateLimitPerMinute,
    revokedAt: row.revokedAt,
    createdAt: row.createdAt,
  };
}
