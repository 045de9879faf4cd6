/** Freezes templates: stores a copy of the current version when a bulk send of it begins. */
import { Injectable } from '@nestjs/common';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { FrozenTemplate } from '../domain/template.js';
import { FrozenTemplateRepository } from '../persistence/frozen-template.repository.js';

@Injectable()
export class FrozenTemplates {
  constructor(private readonly frozen: FrozenTemplateRepository) {}

  /**
   * Stores a copy of the current version and returns its id, by which messages refer to it; undefined if there is no
   * such template.
   */
  async freeze(
    tx: Transaction,
    scope: WorkspaceScope,
    templateId: string,
    now: Date,
  ): Promise<FrozenTemplate | undefined> {
    const id = await this.frozen.freeze(tx, scope, templateId, now);
    return id === undefined ? undefined : (await this.frozen.find(tx, scope, [id]))[0];
  }
}
