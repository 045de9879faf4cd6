/** Topics of a workspace. */
import { Injectable } from '@nestjs/common';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { MAX_TOPICS, type Topic } from '../domain/topic.js';
import { TopicEntity } from './topic.entity.js';

const FIELDS = `key, name, description, names, descriptions, subscribed_by_default AS "isSubscribedByDefault",
  is_archived AS "isArchived", created_at AS "createdAt", updated_at AS "updatedAt"`;

@Injectable()
export class TopicRepository {
  /** All topics of the workspace, oldest first. */
  async all(tx: Transaction, scope: WorkspaceScope): Promise<Topic[]> {
    return tx.query<Topic>(
      `SELECT ${FIELDS} FROM topics WHERE workspace_id = $1 ORDER BY created_at, key LIMIT ${MAX_TOPICS}`,
      [scope.workspaceId],
      'topics-all',
    );
  }

  /** One topic. @param lock whether to lock it against changes until the transaction ends. */
  async find(tx: Transaction, scope: WorkspaceScope, key: string, lock = false): Promise<Topic | undefined> {
    const [topic] = await tx.query<Topic>(
      `SELECT ${FIELDS} FROM topics WHERE workspace_id = $1 AND key = $2 ${lock ? 'FOR UPDATE' : ''}`,
      [scope.workspaceId, key],
    );
    return topic;
  }

  /** Serializes adding topics to the workspace until the transaction ends. */
  async lockAll(tx: Transaction, scope: WorkspaceScope): Promise<void> {
    await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`topics ${scope.workspaceId}`]);
  }

  async insert(tx: Transaction, { workspaceId }: WorkspaceScope, topic: Topic): Promise<void> {
    await tx.manager.insert(TopicEntity, { ...topic, workspaceId });
  }

  /** Stores a topic that was read under a lock. */
  async update(tx: Transaction, { workspaceId }: WorkspaceScope, topic: Topic): Promise<void> {
    const { key, isSubscribedByDefault: _fixed, createdAt: _created, ...changing } = topic;
    await tx.manager.update(TopicEntity, { workspaceId, key }, changing);
  }
}
