/**
 * Handles saved and deleted templates. It is a port because templates may not depend on what is derived from them;
 * processes/bindings binds it. Called in the transaction of the change, after the statements that store it.
 */
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { Template } from '../domain/template.js';

export abstract class TemplateChanges {
  /** A new template, or the next version of one. @param actor who saved it. */
  abstract saved(
    tx: Transaction,
    scope: WorkspaceScope,
    template: Template,
    actor: string,
    now: Date,
  ): Promise<void>;

  /** A template was deleted with all its versions. */
  abstract deleted(tx: Transaction, scope: WorkspaceScope, templateId: string): Promise<void>;
}
