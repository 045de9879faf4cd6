/** Version history of a workspace's templates, section 2.7. */
import { Injectable } from '@nestjs/common';
import { jsonText } from '../../../kernel/json-text.js';
import type { PageCursor } from '../../../kernel/page-cursor.js';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { Sized } from '../../../kernel/batches.js';
import type { ListedVersion, TemplateVersion, VersionSummary } from '../domain/template-version.js';

const SUMMARY = `id, template_id AS "templateId", version, name, change_summary AS "changeSummary",
  template_language AS "templateLanguage", created_by AS "createdBy", created_at AS "createdAt"`;
const LISTED = `${SUMMARY}, body_ast AS "bodyAst", document_json AS "documentJson", ast_patches AS "astPatches"`;
/** JSON is stored compressed; in memory it takes about ten times the stored size. */
const SIZE = `10 * (coalesce(pg_column_size(body_ast), 0) + coalesce(pg_column_size(document_json), 0)
  + coalesce(pg_column_size(ast_patches), 0))`;
/** Version numbers only increase, even if the clock is set back. */
const NEWEST_FIRST = 'ORDER BY version DESC, created_at DESC, id DESC';

/** What a snapshot stores in addition to the preserved state. */
export type SnapshotDetails = Pick<
  TemplateVersion,
  'id' | 'changeSummary' | 'documentJson' | 'astPatches' | 'createdBy' | 'createdAt'
>;

@Injectable()
export class TemplateVersionRepository {
  /**
   * Stores the current state of a template, which must be locked.
   * @param inheritsDetails whether absent values are copied from an earlier snapshot of the same version (summary and
   *   document), so that the new snapshot, which is the one found by number, does not hide them.
   */
  async snapshot(
    tx: Transaction,
    scope: WorkspaceScope,
    templateId: string,
    details: SnapshotDetails,
    inheritsDetails: boolean,
  ): Promise<void> {
    await tx.execute(
      `INSERT INTO template_versions (workspace_id, id, template_id, version, name, body_html, body_ast,
         template_language, change_summary, document_json, ast_patches, created_by, created_at)
       SELECT t.workspace_id, $3, t.id, t.version, t.name, t.body_html, t.body_ast, t.template_language,
         coalesce($4, earlier.change_summary), coalesce($5::jsonb, earlier.document_json), $6, $7, $8
       FROM templates t LEFT JOIN LATERAL (
         SELECT v.change_summary, v.document_json FROM template_versions v
         WHERE $9 AND v.workspace_id = t.workspace_id AND v.template_id = t.id AND v.version = t.version
         ${NEWEST_FIRST} LIMIT 1) earlier ON true
       WHERE t.workspace_id = $1 AND t.id = $2`,
      [
        scope.workspaceId,
        templateId,
        details.id,
        details.changeSummary,
        details.documentJson && jsonText(details.documentJson),
        details.astPatches && jsonText(details.astPatches),
        details.createdBy,
        details.createdAt,
        inheritsDetails,
      ],
    );
  }

  /** Ids and sizes of a template's snapshots, newest first. */
  async sizes(tx: Transaction, scope: WorkspaceScope, templateId: string): Promise<Sized[]> {
    return tx.query<Sized & { id: string }>(
      `SELECT id, ${SIZE} AS size FROM template_versions WHERE workspace_id = $1 AND template_id = $2 ${NEWEST_FIRST}`,
      [scope.workspaceId, templateId],
    );
  }

  /** The snapshots with these ids that exist, in any order. */
  async byIds(tx: Transaction, scope: WorkspaceScope, ids: readonly string[]): Promise<ListedVersion[]> {
    return tx.query<ListedVersion>(
      `SELECT ${LISTED} FROM template_versions WHERE workspace_id = $1 AND id = ANY ($2::uuid[])`,
      [scope.workspaceId, ids],
    );
  }

  /** A page of a template's snapshots without their contents, newest first, and the total number. */
  async page(
    tx: Transaction,
    scope: WorkspaceScope,
    templateId: string,
    { limit, after }: { readonly limit: number; readonly after: PageCursor | null },
  ): Promise<{ readonly versions: VersionSummary[]; readonly total: number }> {
    const of = 'FROM template_versions WHERE workspace_id = $1 AND template_id = $2';
    const versions = await tx.query<VersionSummary>(
      `SELECT ${SUMMARY} ${of} AND ($4::int IS NULL OR (version, id) < ($4, $5::uuid))
       ORDER BY version DESC, id DESC LIMIT $3`,
      [scope.workspaceId, templateId, limit, after?.key ?? null, after?.id ?? null],
    );
    const [counted] = await tx.query<{ total: number }>(`SELECT count(*)::int AS total ${of}`, [
      scope.workspaceId,
      templateId,
    ]);
    return { versions, total: counted?.total ?? 0 };
  }

  /** The latest snapshot of a version. */
  async latest(
    tx: Transaction,
    scope: WorkspaceScope,
    templateId: string,
    version: number,
  ): Promise<TemplateVersion | undefined> {
    const [found] = await tx.query<TemplateVersion>(
      `SELECT ${LISTED}, body_html AS "bodyHtml" FROM template_versions
       WHERE workspace_id = $1 AND template_id = $2 AND version = $3 ${NEWEST_FIRST} LIMIT 1`,
      [scope.workspaceId, templateId, version],
    );
    return found;
  }

  /** Removes all snapshots of a template. */
  async removeAll(tx: Transaction, scope: WorkspaceScope, templateId: string): Promise<void> {
    await tx.execute('DELETE FROM template_versions WHERE workspace_id = $1 AND template_id = $2', [
      scope.workspaceId,
      templateId,
    ]);
  }
}
