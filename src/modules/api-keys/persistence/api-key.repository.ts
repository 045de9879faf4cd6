/** Stores API keys. */
import { Injectable } from '@nestjs/common';
import { IsNull, Not, MoreThan } from 'typeorm';
import { sliceOf, type Slice, type PageRequest } from '../../../kernel/page-cursor.js';
import type { KeyScope } from '../../../kernel/principal.js';
import type { Environment, WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import type { ApiKey, ListedApiKey } from '../domain/api-key.js';
import { ApiKeyUseRepository } from './api-key-use.repository.js';
import { ApiKeyEntity } from './api-key.entity.js';

@Injectable()
export class ApiKeyRepository {
  constructor(
    private readonly database: Database,
    private readonly uses: ApiKeyUseRepository,
  ) {}

  /** The key with this digest, revoked or not, and the stored digest. */
  async findByHash(keyHash: string): Promise<{ key: ApiKey; hash: string } | undefined> {
    return this.database.withProof({ keyHash }, async ({ manager }) => {
      const row = await manager.findOneBy(ApiKeyEntity, { keyHash });
      return row ? { key: recordOf(row), hash: row.keyHash } : undefined;
    });
  }

  /** Whether the workspace has a key that is neither revoked nor replaced. */
  async hasUsable(tx: Transaction, scope: WorkspaceScope): Promise<boolean> {
    return (await countOf(tx, scope)) > 0;
  }

  /** The number of keys that are neither revoked nor replaced. */
  async count(tx: Transaction, scope: WorkspaceScope): Promise<number> {
    return countOf(tx, scope);
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

  /** A page of the workspace's keys. Ids grow with creation time. */
  async page(scope: WorkspaceScope, { first, after }: PageRequest): Promise<Slice<ListedApiKey>> {
    return this.database.listInScope(scope, async (tx) => {
      const rows = await tx.manager.find(ApiKeyEntity, {
        where: { workspaceId: scope.workspaceId, ...(after ? { id: MoreThan(after.id) } : {}) },
        order: { id: 'ASC' },
        take: first + 1,
      });
      const uses = await this.uses.lastUses(
        tx,
        scope,
        rows.map(({ id }) => id),
      );
      return sliceOf(
        rows.map((row) => ({ ...recordOf(row), lastUsedAt: uses.get(row.id) ?? null })),
        first,
      );
    });
  }

  /**
   * Stores a key after `checkCount` has received the number of the workspace's keys that are neither revoked nor replaced.
   * If `checkCount` throws, nothing is stored. Calls `announce` in the same transaction. Additions to a workspace are
   * serialised, so that two cannot both be the last one allowed.
   */
  async add(
    scope: WorkspaceScope,
    key: ApiKey,
    hash: string,
    checkCount: (current: number) => void,
    announce: (tx: Transaction) => Promise<void>,
  ): Promise<void> {
    await this.database.inScope(scope, async (tx) => {
      await lockKeys(tx, scope);
      checkCount(await countOf(tx, scope));
      await insert(tx, key, hash);
      await announce(tx);
    });
  }

  /**
   * Stores a key that replaces another, which expires as `successor` defines. Calls `announce` in the same transaction.
   * @param successor makes the new key from the current one and the replaced keys with its name. An error that it
   *   throws rolls everything back.
   * @returns both keys; undefined if there is no such key.
   */
  async replace(
    scope: WorkspaceScope,
    id: string,
    successor: (
      replaceable: ApiKey,
      others: readonly ApiKey[],
    ) => { readonly key: ApiKey; readonly hash: string; readonly until: Date },
    announce: (tx: Transaction, replaced: ApiKey, key: ApiKey) => Promise<void>,
  ): Promise<{ readonly replaced: ApiKey; readonly key: ApiKey } | undefined> {
    return this.database.inScope(scope, async (tx) => {
      await lockKeys(tx, scope);
      const where = { workspaceId: scope.workspaceId, id };
      const row = await tx.manager.findOneBy(ApiKeyEntity, where);
      if (!row) return undefined;
      const sameName = {
        workspaceId: scope.workspaceId,
        name: row.name,
        revokedAt: IsNull(),
        expiresAt: Not(IsNull()),
      };
      const others = await tx.manager.findBy(ApiKeyEntity, sameName);
      const { key, hash, until } = successor(recordOf(row), others.map(recordOf));
      await tx.manager.update(ApiKeyEntity, where, { expiresAt: until });
      await insert(tx, key, hash);
      const replaced = { ...recordOf(row), expiresAt: until };
      await announce(tx, replaced, key);
      return { replaced, key };
    });
  }

  /** Stores another digest of the same key, unless it was changed meanwhile. */
  async rehash({ workspaceId, id }: ApiKey, from: string, to: string): Promise<void> {
    await this.database.inScope({ workspaceId }, (transaction) =>
      transaction.execute(
        'UPDATE api_keys SET key_hash = $4 WHERE workspace_id = $1 AND id = $2 AND key_hash = $3',
        [workspaceId, id, from, to],
      ),
    );
  }

  /**
   * Revokes a key and calls `announce` in the same transaction. A key that is already revoked stays unchanged and is
   * not announced. Undefined if there is no such key.
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

/** Blocks other additions of keys to the workspace until the transaction ends. */
async function lockKeys(tx: Transaction, { workspaceId }: WorkspaceScope): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`api_keys ${workspaceId}`]);
}

async function insert(tx: Transaction, { hint, ...key }: ApiKey, keyHash: string): Promise<void> {
  await tx.manager.insert(ApiKeyEntity, { ...key, keyHash, keyHint: hint });
}

async function countOf(tx: Transaction, { workspaceId }: WorkspaceScope): Promise<number> {
  return tx.manager.countBy(ApiKeyEntity, { workspaceId, revokedAt: IsNull(), expiresAt: IsNull() });
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
    expiresAt: row.expiresAt,
    createdAt: row.createdAt,
  };
}
