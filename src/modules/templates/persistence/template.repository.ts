/** Templates of a workspace, section 2.7. */
import { Injectable } from '@nestjs/common';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { Template } from '../domain/template.js';

const FIELDS = `id, name, slug, subject, body_html AS "bodyHtml", body_text AS "bodyText", body_ast AS "bodyAst",
  template_language AS "templateLanguage", is_active AS "isActive", version, validation_status AS "validationStatus",
  validation_errors AS "validationErrors", created_at AS "createdAt", updated_at AS "updatedAt"`;

@Injectable()
export class TemplateRepository {
  /** Stores a new template; false when the workspace has one of that slug. */
  async insert(tx: Transaction, scope: WorkspaceScope, template: Template): Promise<boolean> {
    const inserted = await tx.execute(
      `INSERT INTO templates (workspace_id, id, name, slug, subject, body_html, body_text, body_ast, template_language,
         is_active, version, validation_status, validation_errors, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
       ON CONFLICT (workspace_id, slug) DO NOTHING`,
      [
        scope.workspaceId,
        template.id,
        template.name,
        template.slug,
        template.subject,
        template.bodyHtml,
        template.bodyText,
        template.bodyAst && JSON.stringify(template.bodyAst),
        template.templateLanguage,
        template.isActive,
        template.version,
        template.validationStatus,
        JSON.stringify(template.validationErrors),
        template.createdAt,
        template.updatedAt,
      ],
    );
    return inserted === 1;
  }

  /** All templates, the most recently updated first. */
  async list(tx: Transaction, scope: WorkspaceScope): Promise<Template[]> {
    return tx.query<Template>(
      `SELECT ${FIELDS} FROM templates WHERE workspace_id = $1 ORDER BY updated_at DESC, id DESC`,
      [scope.workspaceId],
    );
  }

  /** The templates of these slugs, as far as they exist. */
  async find(tx: Transaction, scope: WorkspaceScope, slugs: readonly string[]): Promise<Template[]> {
    return tx.query<Template>(
      `SELECT ${FIELDS} FROM templates WHERE workspace_id = $1 AND slug = ANY ($2::text[])`,
      [scope.workspaceId, slugs],
    );
  }
}
