/** Storage of segments. */
import { Injectable } from '@nestjs/common';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { Database } from '../../../platform/database/database.js';
import type { Segment } from '../domain/segment.js';
import { SegmentEntity } from './segment.entity.js';

@Injectable()
export class SegmentRepository {
  constructor(private readonly database: Database) {}

  /** The id of the segment of that name; undefined when there is none. */
  async idByName(scope: WorkspaceScope, name: string): Promise<string | undefined> {
    return this.database.inScope(scope, async ({ manager }) => {
      const row = await manager.findOneBy(SegmentEntity, { workspaceId: scope.workspaceId, name });
      return row?.id;
    });
  }

  async add(scope: WorkspaceScope, { id, name, match, conditions }: Segment, now: Date): Promise<void> {
    await this.database.inScope(scope, async ({ manager }) => {
      await manager.insert(SegmentEntity, {
        workspaceId: scope.workspaceId,
        id,
        name,
        match,
        conditions,
        createdAt: now,
        updatedAt: now,
      });
    });
  }
}
