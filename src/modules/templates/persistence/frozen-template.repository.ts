/** Frozen versions of templates, stored when a bulk send of them begins. */
import { Injectable } from '@nestjs/common';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { uuidv7 } from '../../../kernel/uuid.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { FrozenTemplate } from '../domain/template.js';

@Injectable()
export class FrozenTemplateRepository {
  /** Stores the current state of a template. Returns the id of the copy, the same for the same version. */
  async freeze(
    tx: Transaction,
    { workspaceId }: WorkspaceScope,
    templateId: string,
    now: Date,
  ): Promise<string | undefined> {
    await tx.execute(
      `INSERT INTO frozen_templates (workspace_id, id, template_id, version, slug, subject, body_html, body_text,
         template_language, frozen_at)
       SELECT workspace_id, $3, id, version, slug, subject, body_html, body_text, template_language, $4
       FROM templates WHERE workspace_id = $1 AND id = $2
       ON CONFLICT (workspace_id, template_id, version) DO NOTHING`,
      [workspaceId, templateId, uuidv7(now.getTime()), now],
    );
    const [copy] = await tx.query<{ readonly id: string }>(
      `SELECT f.id FROM frozen_templates f JOIN templates t ON t.workspace_id = $1 AND t.id = f.template_id AND t.version = f.version
       WHERE f.workspace_id = $1 AND f.template_id = $2`,
      [workspaceId, templateId],
    );
    return copy?.id;
  }

  /** Those with these ids. */
  async find(
    tx: Transaction,
    { workspaceId }: WorkspaceScope,
    ids: readonly string[],
  ): Promise<FrozenTemplate[]> {
    return tx.query<FrozenTemplate & object>(
      `SELECT id, template_id AS "templateId", version, slug, subject, body_html AS "bodyHtml", body_text AS "bodyText",
         template_language AS "templateLanguage"
       FROM frozen_templates WHERE workspace_id = $1 AND id = ANY ($2::uuid[])`,
      [workspaceId, ids],
    );
  }
}
