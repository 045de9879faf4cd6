/** Templates of a workspace, section 2.7. */
import { Injectable } from '@nestjs/common';
import { camelKeys, snakeKeys, type SnakeKeys } from '../../../kernel/letter-case.js';
import type { Place } from '../../../kernel/place.js';
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
/** JSON is stored compressed; ten times its place is about what it takes in memory. */
const SIZE = `octet_length(body_html) + octet_length(body_text) + 10 * pg_column_size(validation_errors)
  + 10 * coalesce(pg_column_size(body_ast), 0)`;

@Injectable()
export class TemplateRepository {
  /** Stores a new template; false when the workspace has one of that slug. */
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

  /** Stores the next state of a template that was found with a lock. */
  async update(tx: Transaction, { workspaceId }: WorkspaceScope, template: Template): Promise<void> {
    const { id, slug: _slug, createdAt: _createdAt, ...changing } = storedOf(template);
    await tx.manager.update(TemplateEntity, { workspaceId, id }, changing);
  }

  /** Removes a template; gives its id, or undefined when there is none of the slug. */
  async remove(tx: Transaction, scope: WorkspaceScope, slug: string): Promise<string | undefined> {
    const [removed] = await tx.query<{ id: string }>(
      'DELETE FROM templates WHERE workspace_id = $1 AND slug = $2 RETURNING id',
      [scope.workspaceId, slug],
    );
    return removed?.id;
  }

  /** Ids and sizes of all templates, the most recently updated first. */
  async sizes(tx: Transaction, scope: WorkspaceScope): Promise<Sized[]> {
    return tx.query<Sized & { id: string }>(
      `SELECT id, ${SIZE} AS size FROM templates WHERE workspace_id = $1 ORDER BY updated_at DESC, id DESC`,
      [scope.workspaceId],
    );
  }

  /** The templates of these ids, as far as they exist, in any order. */
  async byIds(tx: Transaction, scope: WorkspaceScope, ids: readonly string[]): Promise<Template[]> {
    const rows = await tx.query<Stored<Template>>(
      `SELECT ${FIELDS} FROM templates WHERE workspace_id = $1 AND id = ANY ($2::uuid[])`,
      [scope.workspaceId, ids],
    );
    return rows.map(recordOf);
  }

  /** Templates without their bodies, the most recently updated first, behind a place. */
  async summaries(
    tx: Transaction,
    scope: WorkspaceScope,
    { limit, after }: { readonly limit: number; readonly after: Place | null },
  ): Promise<TemplateSummary[]> {
    const rows = await tx.query<Stored<TemplateSummary>>(
      `SELECT ${SUMMARY} FROM templates
       WHERE workspace_id = $1 AND ($3::timestamptz IS NULL OR (updated_at, id) < ($3, $4::uuid))
       ORDER BY updated_at DESC, id DESC LIMIT $2`,
      [scope.workspaceId, limit, after?.key ?? null, after?.id ?? null],
    );
    return rows.map(recordOf);
  }

  /** The templates of these slugs, as far as they exist. */
  async find(tx: Transaction, scope: WorkspaceScope, slugs: readonly string[]): Promise<Template[]> {
    const rows = await tx.query<Stored<Template>>(
      `SELECT ${FIELDS} FROM templates WHERE workspace_id = $1 AND slug = ANY ($2::text[])`,
      [scope.workspaceId, slugs],
    );
    return rows.map(recordOf);
  }

  /** Keys of topics by the slug of the template that has one. */
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

  /** Those of the ids that templates have. */
  async existing(tx: Transaction, scope: WorkspaceScope, ids: readonly string[]): Promise<Set<string>> {
    const found = await tx.query<{ id: string }>(
      'SELECT id FROM templates WHERE workspace_id = $1 AND id = ANY ($2::uuid[])',
      [scope.workspaceId, ids],
    );
    return new Set(found.map(({ id }) => id));
  }

  /** The id of the template of that slug. */
  async idOf(tx: Transaction, scope: WorkspaceScope, slug: string): Promise<string | undefined> {
    const [found] = await tx.query<{ id: string }>(
      'SELECT id FROM templates WHERE workspace_id = $1 AND slug = $2',
      [scope.workspaceId, slug],
    );
    return found?.id;
  }

  /** One template, which nobody else can change until the transaction ends. */
  async lock(tx: Transaction, scope: WorkspaceScope, slug: string): Promise<Template | undefined> {
    const [template] = await tx.query<Stored<Template>>(
      `SELECT ${FIELDS} FROM templates WHERE workspace_id = $1 AND slug = $2 FOR UPDATE`,
      [scope.workspaceId, slug],
    );
    return template && recordOf(template);
  }
}

/** A row: findings are stored under the names of REST. */
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
