/** Templates of a workspace, section 2.7. */
import { Injectable } from '@nestjs/common';
import { camelKeys, snakeKeys, type SnakeKeys } from '../../../kernel/letter-case.js';
import type { PageCursor } from '../../../kernel/page-cursor.js';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { Sized } from '../../../kernel/batches.js';
import type { TemplateFinding } from '../../../language/language.js';
import type { Template, TemplateSummary } from '../domain/template.js';
import { TemplateEntity } from './template.entity.js';

const SUMMARY = `id, name, slug, subject, template_language AS "templateLanguage", topic, is_active AS "isActive", version,
  validation_status AS "validationStatus", validation_errors AS "validationErrors", created_at AS "createdAt",
  updated_at AS "updatedAt"`;
const FIELDS = `${SUMMARY}, body_html AS "bodyHtml", body_text AS "bodyText", body_ast AS "bodyAst"`;
/** JSON is stored compressed; in memory it takes about ten times the stored size. */
const SIZE = `octet_length(body_html) + octet_length(body_text) + 10 * pg_column_size(validation_errors)
  + 10 * coalesce(pg_column_size(body_ast), 0)`;

@Injectable()
export class TemplateRepository {
  /** Stores a new template; false if the workspace already has one with that slug. */
  async insert(tx: Transaction, scope: WorkspaceScope, template: Template): Promise<boolean> {
    const inserted: { raw: unknown } = await tx.manager
      .createQueryBuilder()
      .insert()
      .into(TemplateEntity)
      .values({ ...storedOf(template), workspaceId: scope.workspaceId })
      .orIgnore()
      .returning('id')
      .execute();
    return Array.isArray(inserted.raw) && inserted.raw.length === 1;
  }

  /** Stores the next state of a template that was read under a lock. */
  async update(tx: Transaction, { workspaceId }: WorkspaceScope, template: Template): Promise<void> {
    const { id, slug: _slug, createdAt: _createdAt, ...changing } = storedOf(template);
    await tx.manager.update(TemplateEntity, { workspaceId, id }, changing);
  }

  /** Deletes a template. Returns its id, or undefined if the slug is unknown. */
  async remove(tx: Transaction, scope: WorkspaceScope, slug: string): Promise<string | undefined> {
    const [removed] = await tx.query<{ id: string }>(
      'DELETE FROM templates WHERE workspace_id = $1 AND slug = $2 RETURNING id',
      [scope.workspaceId, slug],
    );
    return removed?.id;
  }

  /** Ids and sizes of all templates, most recently updated first. */
  async sizes(tx: Transaction, scope: WorkspaceScope): Promise<Sized[]> {
    return tx.query<Sized & { id: string }>(
      `SELECT id, ${SIZE} AS size FROM templates WHERE workspace_id = $1 ORDER BY updated_at DESC, id DESC`,
      [scope.workspaceId],
    );
  }

  /** The templates with these ids that exist, in any order. */
  async byIds(tx: Transaction, scope: WorkspaceScope, ids: readonly string[]): Promise<Template[]> {
    const rows = await tx.query<Stored<Template>>(
      `SELECT ${FIELDS} FROM templates WHERE workspace_id = $1 AND id = ANY ($2::uuid[])`,
      [scope.workspaceId, ids],
    );
    return rows.map(recordOf);
  }

  /** As `byIds`; none of them can change until the transaction ends. */
  async shareByIds(tx: Transaction, scope: WorkspaceScope, ids: readonly string[]): Promise<Template[]> {
    const rows = await tx.query<Stored<Template>>(
      `SELECT ${FIELDS} FROM templates WHERE workspace_id = $1 AND id = ANY ($2::uuid[]) ORDER BY id FOR SHARE`,
      [scope.workspaceId, ids],
    );
    return rows.map(recordOf);
  }

  /** Templates without their bodies, most recently updated first, after a position. */
  async summaries(
    tx: Transaction,
    scope: WorkspaceScope,
    { limit, after }: { readonly limit: number; readonly after: PageCursor | null },
  ): Promise<TemplateSummary[]> {
    const rows = await tx.query<Stored<TemplateSummary>>(
      `SELECT ${SUMMARY} FROM templates
       WHERE workspace_id = $1 AND ($3::timestamptz IS NULL OR (updated_at, id) < ($3, $4::uuid))
       ORDER BY updated_at DESC, id DESC LIMIT $2`,
      [scope.workspaceId, limit, after?.key ?? null, after?.id ?? null],
    );
    return rows.map(recordOf);
  }

  /** The templates with these slugs that exist. */
  async find(tx: Transaction, scope: WorkspaceScope, slugs: readonly string[]): Promise<Template[]> {
    const rows = await tx.query<Stored<Template>>(
      `SELECT ${FIELDS} FROM templates WHERE workspace_id = $1 AND slug = ANY ($2::text[])`,
      [scope.workspaceId, slugs],
    );
    return rows.map(recordOf);
  }

  /** Topic keys by slug of the templates that have one. */
  async topics(
    tx: Transaction,
    scope: WorkspaceScope,
    slugs: readonly string[],
  ): Promise<ReadonlyMap<string, string>> {
    const rows = await tx.query<{ readonly slug: string; readonly topic: string }>(
      'SELECT slug, topic FROM templates WHERE workspace_id = $1 AND slug = ANY ($2::text[]) AND topic IS NOT NULL',
      [scope.workspaceId, slugs],
      'template-topics',
    );
    return new Map(rows.map(({ slug, topic }) => [slug, topic]));
  }

  /** Those of the ids that belong to templates. */
  async existing(tx: Transaction, scope: WorkspaceScope, ids: readonly string[]): Promise<Set<string>> {
    const found = await tx.query<{ id: string }>(
      'SELECT id FROM templates WHERE workspace_id = $1 AND id = ANY ($2::uuid[])',
      [scope.workspaceId, ids],
    );
    return new Set(found.map(({ id }) => id));
  }

  /** The id of the template with this slug. */
  async idOf(tx: Transaction, scope: WorkspaceScope, slug: string): Promise<string | undefined> {
    const [found] = await tx.query<{ id: string }>(
      'SELECT id FROM templates WHERE workspace_id = $1 AND slug = $2',
      [scope.workspaceId, slug],
    );
    return found?.id;
  }

  /** Locks one template against changes until the transaction ends. */
  async lock(tx: Transaction, scope: WorkspaceScope, slug: string): Promise<Template | undefined> {
    const [template] = await tx.query<Stored<Template>>(
      `SELECT ${FIELDS} FROM templates WHERE workspace_id = $1 AND slug = $2 FOR UPDATE`,
      [scope.workspaceId, slug],
    );
    return template && recordOf(template);
  }
}

/** A row, whose findings are stored with the field names of REST. */
type Stored<Item extends TemplateSummary> = Omit<Item, 'validationErrors'> & {
  readonly validationErrors: readonly SnakeKeys<TemplateFinding>[];
};

function recordOf<Row extends Stored<TemplateSummary>>(
  row: Row,
): Omit<Row, 'validationErrors'> & Pick<TemplateSummary, 'validationErrors'> {
  return { ...row, validationErrors: row.validationErrors.map(camelKeys) };
}

function storedOf(template: Template): Stored<Template> {
  return { ...template, validationErrors: template.validationErrors.map(snakeKeys) };
}
