/** The topics of templates, for modules that send their mail. */
import { Injectable } from '@nestjs/common';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { TemplateRepository } from '../persistence/template.repository.js';

@Injectable()
export class TemplateTopics {
  constructor(private readonly templates: TemplateRepository) {}

  /** Topic keys by slug; templates without a topic, and unknown slugs, are missing. */
  async of(
    tx: Transaction,
    scope: WorkspaceScope,
    slugs: readonly string[],
  ): Promise<ReadonlyMap<string, string>> {
    return slugs.length === 0 ? new Map() : this.templates.topics(tx, scope, slugs);
  }
}
