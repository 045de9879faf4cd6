/** Keeps templates as they are when somebody begins to send them to many. */
import { Injectable } from '@nestjs/common';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { FrozenTemplate } from '../domain/frozen-template.js';
import { FrozenTemplateRepository } from '../persistence/frozen-template.repository.js';

@Injectable()
export class FrozenTemplates {
  constructor(private readonly frozen: FrozenTemplateRepository) {}

  /** Keeps a template as it stands, for messages that name it by the id of what is given; undefined where there is none. */
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
