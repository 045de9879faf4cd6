/** Of which topic the mail of templates is, for modules that send it. */
import { Injectable } from '@nestjs/common';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { TemplateRepository } from '../persistence/template.repository.js';

@Injectable()
export class TemplateTopics {
  constructor(private readonly templates: TemplateRepository) {}

  /** Keys of topics by slug; a template that has none, or is not there, is not in the answer. */
  async of(
    tx: Transaction,
    scope: WorkspaceScope,
    slugs: readonly string[],
  ): Promise<ReadonlyMap<string, string>> {
    return slugs.length === 0 ? new Map() : this.templates.topics(tx, scope, slugs);
  }
}
