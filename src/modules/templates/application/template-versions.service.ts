/** Version history of templates, section 4.3. */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { DomainError } from '../../../kernel/domain-error.js';
import { sliceOf, type Slice, type PageRequest } from '../../../kernel/page-cursor.js';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { uuidv7 } from '../../../kernel/uuid.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { Threads } from '../../../platform/threads/threads.js';
import { type AstPatch, isPatchable } from '../domain/ast-patch.js';
import { AST_PATCH, HUNKS } from '../domain/template-tasks.js';
import type {
  ChangeNote,
  ListedVersion,
  TemplateVersion,
  VersionNote,
  VersionSummary,
} from '../domain/template-version.js';
import type { Template } from '../domain/template.js';
import { restoreTemplate } from '../domain/update-template.js';
import { versionDiff, type DiffableState, type VersionDiff } from '../domain/version-diff.js';
import { TemplateVersionRepository } from '../persistence/template-version.repository.js';
import { batched, type Batched } from '../../../kernel/batches.js';
import { TemplateService } from './template.service.js';

@Injectable()
export class TemplateVersionsService {
  constructor(
    private readonly database: Database,
    private readonly templates: TemplateService,
    private readonly versions: TemplateVersionRepository,
    private readonly threads: Threads,
    private readonly clock: Clock,
  ) {}

  /**
   * All snapshots of a template, newest first.
   * @throws DomainError template_not_found.
   */
  async list(scope: WorkspaceScope, slug: string): Promise<Batched<ListedVersion>> {
    const plan = await this.database.inScope(scope, async (tx) =>
      this.versions.sizes(tx, scope, await this.templates.idOf(tx, scope, slug)),
    );
    return batched(plan, (ids) => this.database.inScope(scope, (tx) => this.versions.byIds(tx, scope, ids)));
  }

  /**
   * A page of a template's snapshots without their contents, newest first.
   * @throws DomainError template_not_found.
   */
  async page(
    scope: WorkspaceScope,
    slug: string,
    { first, after }: PageRequest,
  ): Promise<{ readonly versions: Slice<VersionSummary>; readonly total: number }> {
    return this.database.listInScope(scope, async (tx) => {
      const templateId = await this.templates.idOf(tx, scope, slug);
      const page = { limit: first + 1, after };
      const { versions, total } = await this.versions.page(tx, scope, templateId, page);
      return { versions: sliceOf(versions, first), total };
    });
  }

  /**
   * The latest snapshot of a version.
   * @param version undefined if it is not a version number.
   * @throws DomainError template_not_found, template_version_not_found.
   */
  async get(scope: WorkspaceScope, slug: string, version: number | undefined): Promise<TemplateVersion> {
    return this.database.inScope(scope, async (tx) =>
      this.latest(tx, scope, await this.templates.idOf(tx, scope, slug), version),
    );
  }

  /**
   * Stores a snapshot of the template under its current version number, which does not change.
   * @throws DomainError template_not_found, invalid_field.
   */
  async createSnapshot(
    scope: WorkspaceScope,
    slug: string,
    note: VersionNote,
    actor: string,
  ): Promise<TemplateVersion> {
    return this.database.inScope(scope, async (tx) => {
      const template = await this.templates.locked(tx, scope, slug);
      const now = this.clock.now();
      const details = {
        ...note,
        id: uuidv7(now.getTime()),
        astPatches: null,
        createdBy: actor,
        createdAt: now,
      };
      await this.versions.snapshot(tx, scope, template.id, details, false);
      const { version, name, bodyHtml, bodyAst, templateLanguage } = template;
      return { ...details, templateId: template.id, version, name, bodyHtml, bodyAst, templateLanguage };
    });
  }

  /**
   * Restores the content of a version as the next version. The state before it is stored, and the chosen snapshot
   * does not change.
   * @throws DomainError template_not_found, template_version_not_found, conflict with `current_version`,
   *   invalid_field.
   */
  async restore(
    scope: WorkspaceScope,
    slug: string,
    version: number | undefined,
    note: ChangeNote,
    actor: string,
  ): Promise<Template> {
    const noteWithSummary = {
      ...note,
      changeSummary: note.changeSummary ?? `Restored version ${version ?? ''}`,
    };
    return this.templates.change(scope, slug, noteWithSummary, actor, async (tx, template, now) =>
      restoreTemplate(template, await this.latest(tx, scope, template.id, version), now),
    );
  }

  /**
   * The difference between two versions. The current version needs no snapshot: it is the template itself.
   * @param to undefined for the current version.
   * @throws DomainError template_not_found, template_version_not_found; work_too_costly, service_unavailable as
   *   Threads.run.
   */
  async diff(
    scope: WorkspaceScope,
    slug: string,
    from: number,
    to: number | undefined,
  ): Promise<VersionDiff> {
    const template = await this.templates.getBySlug(scope, slug);
    const [before, after] = await this.database.inScope(scope, async (tx) => {
      const stateOf = async (version: number): Promise<DiffableState> =>
        version === template.version ? template : this.latest(tx, scope, template.id, version);
      return [await stateOf(from), await stateOf(to ?? template.version)];
    });
    const [oldBody, newBody] = [before.bodyHtml, after.bodyHtml];
    const bodies = { from: oldBody, to: newBody };
    const hunks = oldBody === newBody ? [] : await this.threads.run(scope.workspaceId, HUNKS, bodies);
    return versionDiff(before, after, hunks, await this.patchOf(scope, before.bodyAst, after.bodyAst));
  }

  private async patchOf(
    scope: WorkspaceScope,
    from: Template['bodyAst'],
    to: Template['bodyAst'],
  ): Promise<AstPatch | null> {
    if (!from || !to || !isPatchable(from, to)) return null;
    return this.threads.run(scope.workspaceId, AST_PATCH, { from, to });
  }

  private async latest(
    tx: Transaction,
    scope: WorkspaceScope,
    templateId: string,
    version: number | undefined,
  ): Promise<TemplateVersion> {
    const found =
      version === undefined ? undefined : await this.versions.latest(tx, scope, templateId, version);
    if (!found)
      throw new DomainError('template_version_not_found', 'The template has no version with that number.');
    return found;
  }
}
