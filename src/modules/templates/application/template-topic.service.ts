/** Sets the topics of templates. A topic is not content: it makes no version, and restoring a version keeps it. */
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { Clock } from '../../../kernel/clock.js';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { Database } from '../../../platform/database/database.js';
import { LOGGER } from '../../../platform/logging/logger.js';
import { TopicService } from '../../preferences/application/topic.service.js';
import type { Template } from '../domain/template.js';
import { TemplateRepository } from '../persistence/template.repository.js';
import { TemplateService } from './template.service.js';

@Injectable()
export class TemplateTopicService {
  constructor(
    private readonly database: Database,
    private readonly service: TemplateService,
    private readonly templates: TemplateRepository,
    private readonly topics: TopicService,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Sets or, with null, clears the topic of a template's promotional mail.
   * @throws DomainError template_not_found, topic_not_found; invalid_field for an archived topic.
   */
  async set(scope: WorkspaceScope, slug: string, topic: string | null, actor: string): Promise<Template> {
    const changed = await this.database.inScope(scope, async (tx) => {
      const template = await this.service.locked(tx, scope, slug);
      if (template.topic === topic) return template;
      if (topic !== null) await this.topics.usable(tx, scope, topic);
      const after: Template = { ...template, topic, updatedAt: this.clock.now() };
      await this.templates.update(tx, scope, after);
      return after;
    });
    this.logger.info({ workspaceId: scope.workspaceId, slug, topic, actor }, 'Template topic changed');
    return changed;
  }
}
