/** Manages the topics of a workspace. */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { DomainError, invalidFields } from '../../../kernel/domain-error.js';
import type { JsonObject } from '../../../kernel/json.js';
import type { Author } from '../../../kernel/principal.js';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { AuditLog } from '../../audit/application/audit-log.js';
import { MAX_TOPICS, TOPIC_KEY, type NewTopic, type Topic, type TopicChanges } from '../domain/topic.js';
import { TopicRepository } from '../persistence/topic.repository.js';

@Injectable()
export class TopicService {
  constructor(
    private readonly database: Database,
    private readonly topics: TopicRepository,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /** All topics, including archived ones, oldest first. */
  async list(scope: WorkspaceScope): Promise<Topic[]> {
    return this.database.inScope(scope, (tx) => this.all(tx, scope));
  }

  /** Like `list`, in an open transaction. */
  async all(tx: Transaction, scope: WorkspaceScope): Promise<Topic[]> {
    return this.topics.all(tx, scope);
  }

  /**
   * Adds a topic.
   * @throws DomainError conflict if another topic has the key; invalid_field if the workspace has the maximum number
   *   of topics.
   */
  async create(scope: WorkspaceScope, input: NewTopic, author: Author): Promise<Topic> {
    return this.database.inScope(scope, async (tx) => {
      await this.topics.lockAll(tx, scope);
      const topics = await this.topics.all(tx, scope);
      if (topics.some(({ key }) => key === input.key))
        throw new DomainError('conflict', `A topic with the key ${input.key} already exists.`);
      if (topics.length >= MAX_TOPICS)
        throw invalidFields([{ field: 'key', message: `a workspace can have at most ${MAX_TOPICS} topics` }]);
      const now = this.clock.now();
      const topic: Topic = { ...input, isArchived: false, createdAt: now, updatedAt: now };
      await this.topics.insert(tx, scope, topic);
      await this.audit.record(tx, scope, author, {
        action: 'topic_created',
        subjectId: topic.key,
        before: null,
        after: auditedFields(topic),
      });
      return topic;
    });
  }

  /**
   * Changes the given fields of a topic.
   * @throws DomainError topic_not_found.
   */
  async update(scope: WorkspaceScope, key: string, changes: TopicChanges, author: Author): Promise<Topic> {
    return this.database.inScope(scope, async (tx) => {
      const found = TOPIC_KEY.test(key) ? await this.topics.find(tx, scope, key, true) : undefined;
      if (!found) throw topicNotFound(key);
      const topic: Topic = { ...found, ...changes, updatedAt: this.clock.now() };
      await this.topics.update(tx, scope, topic);
      await this.audit.record(tx, scope, author, {
        action: 'topic_changed',
        subjectId: key,
        before: auditedFields(found),
        after: auditedFields(topic),
      });
      return topic;
    });
  }

  /**
   * The topic, if it can be assigned to a template.
   * @throws DomainError topic_not_found; invalid_field for an archived topic.
   */
  async usable(tx: Transaction, scope: WorkspaceScope, key: string): Promise<Topic> {
    const topic = await this.topics.find(tx, scope, key);
    if (!topic) throw topicNotFound(key);
    if (topic.isArchived) throw invalidFields([{ field: 'topic', message: 'is archived' }]);
    return topic;
  }

  /** The topics that people can choose from, oldest first. */
  async offered(tx: Transaction, scope: WorkspaceScope): Promise<Topic[]> {
    return (await this.all(tx, scope)).filter(({ isArchived }) => !isArchived);
  }
}

/** The fields of a topic that the audit log shows. */
function auditedFields({ createdAt: _made, updatedAt: _changed, ...topic }: Topic): JsonObject {
  return { ...topic, names: { ...topic.names }, descriptions: { ...topic.descriptions } };
}

function topicNotFound(key: string): DomainError {
  return new DomainError('topic_not_found', `No topic has the key ${key}.`);
}
