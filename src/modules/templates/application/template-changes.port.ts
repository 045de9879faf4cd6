/**
 * Who hears that a template was saved or deleted. A port, since templates know nothing of what is made of them; joined in
 * processes/bindings. Heard in the transaction of the change, behind the statements that store it.
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

  /** A template is gone with all of its versions. */
  abstract deleted(tx: Transaction, scope: WorkspaceScope, templateId: string): Promise<void>;
}
