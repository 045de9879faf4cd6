/** Stores overrides by the hashes of their tokens. */
import { Injectable } from '@nestjs/common';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { Override } from '../domain/gate/override.js';
import { InspectOverrideEntity } from './inspect-override.entity.js';

/** The version that a token lets pass. */
export type OverriddenVersion = Pick<Override, 'templateId' | 'templateVersion'>;

@Injectable()
export class OverrideRepository {
  async insert(tx: Transaction, { workspaceId }: WorkspaceScope, override: Override): Promise<void> {
    await tx.manager.insert(InspectOverrideEntity, { workspaceId, ...override });
  }

  /** Deletes expired overrides. */
  async removeExpired(tx: Transaction, { workspaceId }: WorkspaceScope, now: Date): Promise<void> {
    await tx.execute('DELETE FROM inspect_overrides WHERE workspace_id = $1 AND expires_at <= $2', [
      workspaceId,
      now,
    ]);
  }

  async count(tx: Transaction, { workspaceId }: WorkspaceScope): Promise<number> {
    return tx.manager.countBy(InspectOverrideEntity, { workspaceId });
  }

  /** The versions that the tokens with these hashes let pass now. */
  async valid(
    tx: Transaction,
    { workspaceId }: WorkspaceScope,
    tokenHashes: readonly string[],
    now: Date,
  ): Promise<OverriddenVersion[]> {
    return tx.query<OverriddenVersion>(
      `SELECT template_id AS "templateId", template_version AS "templateVersion" FROM inspect_overrides
       WHERE workspace_id = $1 AND token_hash = ANY ($2::text[]) AND expires_at > $3`,
      [workspaceId, tokenHashes, now],
    );
  }
}
