/** Stores when keys were last used. */
import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { ApiKeyUseEntity } from './api-key-use.entity.js';

@Injectable()
export class ApiKeyUseRepository {
  constructor(private readonly database: Database) {}

  /** Stores uses of a workspace's keys; never replaces a later one. */
  async store(scope: WorkspaceScope, uses: ReadonlyMap<string, Date>): Promise<void> {
    // In a fixed order, so that two processes cannot deadlock.
    const ordered = [...uses].sort(([one], [other]) => (one < other ? -1 : 1));
    await this.database.inScope(scope, (tx) =>
      tx.execute(
        `INSERT INTO api_key_uses (workspace_id, key_id, last_used_at)
         SELECT $1, * FROM unnest($2::uuid[], $3::timestamptz[])
         ON CONFLICT (workspace_id, key_id) DO UPDATE SET last_used_at = excluded.last_used_at
         WHERE api_key_uses.last_used_at < excluded.last_used_at`,
        [scope.workspaceId, ordered.map(([id]) => id), ordered.map(([, at]) => at)],
      ),
    );
  }

  /** When each of the keys was last used; omits keys that never were. */
  async lastUses(
    tx: Transaction,
    scope: WorkspaceScope,
    keyIds: readonly string[],
  ): Promise<Map<string, Date>> {
    const rows = await tx.manager.findBy(ApiKeyUseEntity, {
      workspaceId: scope.workspaceId,
      keyId: In([...keyIds]),
    });
    return new Map(rows.map(({ keyId, lastUsedAt }) => [keyId, lastUsedAt]));
  }
}
