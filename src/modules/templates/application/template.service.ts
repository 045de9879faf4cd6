/** Saves and reads templates, section 4.3. */
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { Clock } from '../../../kernel/clock.js';
import { DomainError } from '../../../kernel/domain-error.js';
import { sliceOf, type Slice, type PageRequest } from '../../../kernel/page-cursor.js';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { uuidv7 } from '../../../kernel/uuid.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { LOGGER } from '../../../platform/logging/logger.js';
import { Threads } from '../../../platform/threads/threads.js';
import { batchesOf, batched, type Batched } from '../../../kernel/batches.js';
import { contentOf, newTemplate } from '../domain/new-template.js';
import type { ChangeNote } from '../domain/template-version.js';
import type {
  NewTemplate,
  Template,
  TemplateContents,
  TemplateSummary,
  TemplateUpdate,
} from '../domain/template.js';
import { DERIVE } from '../domain/template-tasks.js';
import { assertVersion, updateTemplate } from '../domain/update-template.js';
import { TemplateVersionRepository } from '../persistence/template-version.repository.js';
import { TemplateRepository } from '../persistence/template.repository.js';
import { PreparedChange } from './prepared-change.js';
import { TemplateChanges } from './template-changes.port.js';

/** Prepared results no longer fit if others change the template while they are computed. */
const MAX_ATTEMPTS = 6;

@Injectable()
export class TemplateService {
  constructor(
    private readonly database: Database,
    private readonly templates: TemplateRepository,
    private readonly versions: TemplateVersionRepository,
    private readonly changes: TemplateChanges,
    private readonly threads: Threads,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** The templates with these slugs that exist, in the caller's transaction. */
  async bySlugs(tx: Transaction, scope: WorkspaceScope, slugs: readonly string[]): Promise<Template[]> {
    return this.templates.find(tx, scope, slugs);
  }

  /** The templates with these ids that exist, in the caller's transaction. */
  async byIds(tx: Transaction, scope: WorkspaceScope, ids: readonly string[]): Promise<Template[]> {
    return ids.length === 0 ? [] : this.templates.byIds(tx, scope, ids);
  }

  /** As `byIds`; none of them can change until the transaction ends. */
  async shareByIds(tx: Transaction, scope: WorkspaceScope, ids: readonly string[]): Promise<Template[]> {
    return ids.length === 0 ? [] : this.templates.shareByIds(tx, scope, ids);
  }

  /**
   * Saves a new template with its validation findings; findings never prevent saving.
   * @param actor who does it, for the log.
   * @throws DomainError duplicate_slug; work_too_costly, service_unavailable as Threads.run.
   */
  async create(scope: WorkspaceScope, input: NewTemplate, actor: string): Promise<Template> {
    const content = contentOf(input);
    const derived = await this.threads.run(scope.workspaceId, DERIVE, content);
    const now = this.clock.now();
    const template = newTemplate(input, uuidv7(now.getTime()), now, derived);
    const inserted = await this.database.inScope(scope, async (tx) => {
      if (!(await this.templates.insert(tx, scope, template))) return false;
      await this.changes.saved(tx, scope, template, actor, now);
      return true;
    });
    if (!inserted)
      throw new DomainError('duplicate_slug', `A template with the slug ${input.slug} already exists.`);
    this.report(scope, template, actor, 'Template created');
    return template;
  }

  /**
   * Changes the given fields. Every update, even an empty one, stores the state before it as a version and creates
   * the next version. Findings never prevent saving.
   * @throws DomainError template_not_found, conflict with `current_version`.
   */
  async update(
    scope: WorkspaceScope,
    slug: string,
    update: TemplateUpdate,
    note: ChangeNote,
    actor: string,
  ): Promise<Template> {
    return this.change(scope, slug, note, actor, async (_tx, template, now) =>
      Promise.resolve(updateTemplate(template, update, now)),
    );
  }

  /**
   * The only code that changes a template. It locks the template before reading it, so no update is lost, and stores
   * a snapshot of the former state. Expensive work is done while nothing is locked: a transaction that lacks its
   * results writes nothing, and the next one makes the change if they still fit.
   * @param next returns the new state, without new derived data; it only reads, and may be called again.
   * @throws DomainError template_not_found, conflict with `current_version`; work_too_costly, service_unavailable as
   *   Threads.run, also if other changes to the template keep interfering.
   */
  async change(
    scope: WorkspaceScope,
    slug: string,
    note: ChangeNote,
    actor: string,
    next: (tx: Transaction, template: Template, now: Date) => Promise<Template>,
  ): Promise<Template> {
    const prepared = new PreparedChange(this.threads, scope);
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const outcome = await this.database.inScope(scope, async (tx) => {
        const before = await this.locked(tx, scope, slug);
        assertVersion(before, note.expectedVersion);
        const now = this.clock.now();
        const draft = { before, after: await next(tx, before, now) };
        const results = prepared.resultsOf(draft);
        if (!results) return { isMade: false, draft } as const;
        const after = { ...draft.after, ...results.derived };
        const details = {
          id: uuidv7(now.getTime()),
          changeSummary: note.changeSummary ?? null,
          documentJson: null,
          astPatches: results.patch,
          createdBy: actor,
          createdAt: now,
        };
        await this.versions.snapshot(tx, scope, before.id, details, true);
        await this.templates.update(tx, scope, after);
        await this.changes.saved(tx, scope, after, actor, now);
        return { isMade: true, after } as const;
      });
      if (outcome.isMade) {
        this.report(scope, outcome.after, actor, 'Template changed');
        return outcome.after;
      }
      await prepared.prepare(outcome.draft);
    }
    throw new DomainError(
      'service_unavailable',
      'Others are changing the template at the same time: try again.',
      {
        retry_after: 1,
      },
    );
  }

  /**
   * Permanently deletes a template and all its versions.
   * @throws DomainError template_not_found.
   */
  async remove(scope: WorkspaceScope, slug: string, actor: string): Promise<void> {
    await this.database.inScope(scope, async (tx) => {
      const id = isStorableSlug(slug) ? await this.templates.remove(tx, scope, slug) : undefined;
      if (id === undefined) throw notFound(slug);
      await this.versions.removeAll(tx, scope, id);
      await this.changes.deleted(tx, scope, id);
    });
    this.logger.info({ workspaceId: scope.workspaceId, slug, actor }, 'Template deleted');
  }

  /** All templates, most recently updated first. */
  async list(scope: WorkspaceScope): Promise<Batched<Template>> {
    const plan = await this.database.inScope(scope, (tx) => this.templates.sizes(tx, scope));
    return batched(plan, (ids) => this.database.inScope(scope, (tx) => this.templates.byIds(tx, scope, ids)));
  }

  /** A page of templates without their bodies, most recently updated first. */
  async summaries(scope: WorkspaceScope, { first, after }: PageRequest): Promise<Slice<TemplateSummary>> {
    const found = await this.database.listInScope(scope, (tx) =>
      this.templates.summaries(tx, scope, { limit: first + 1, after }),
    );
    return sliceOf(found, first);
  }

  /**
   * The bodies of these templates, if they exist.
   * @throws DomainError payload_too_large if together they are too large for memory.
   */
  async contents(scope: WorkspaceScope, ids: readonly string[]): Promise<readonly TemplateContents[]> {
    return this.database.inScope(scope, async (tx) => {
      const requested = new Set(ids);
      const sizes = (await this.templates.sizes(tx, scope)).filter(({ id }) => requested.has(id));
      if (batchesOf(sizes).length > 1)
        throw new DomainError(
          'payload_too_large',
          'The bodies of these templates exceed the response limit: request them one at a time.',
        );
      return this.templates.byIds(tx, scope, ids);
    });
  }

  /**
   * Returns one template.
   * @throws DomainError template_not_found.
   */
  async getBySlug(scope: WorkspaceScope, slug: string): Promise<Template> {
    const [template] = await this.find(scope, [slug]);
    if (!template) throw notFound(slug);
    return template;
  }

  /** The template with this id; undefined if there is none. */
  async byId(scope: WorkspaceScope, id: string): Promise<Template | undefined> {
    const [template] = await this.database.inScope(scope, (tx) => this.templates.byIds(tx, scope, [id]));
    return template;
  }

  /** The templates with these slugs that exist. */
  async find(scope: WorkspaceScope, slugs: readonly string[]): Promise<Template[]> {
    return this.database.inScope(scope, (tx) => this.templates.find(tx, scope, slugs.filter(isStorableSlug)));
  }

  /**
   * The id of the template with this slug.
   * @throws DomainError template_not_found.
   */
  async idOf(tx: Transaction, scope: WorkspaceScope, slug: string): Promise<string> {
    const id = isStorableSlug(slug) ? await this.templates.idOf(tx, scope, slug) : undefined;
    if (id === undefined) throw notFound(slug);
    return id;
  }

  /**
   * Checks that templates with these ids exist; ids in any letter case.
   * @throws DomainError template_not_found.
   */
  async assertExist(tx: Transaction, scope: WorkspaceScope, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const existing = await this.templates.existing(tx, scope, ids);
    const unknown = ids.find((id) => !existing.has(id.toLowerCase()));
    if (unknown !== undefined)
      throw new DomainError('template_not_found', `No template has the ID ${unknown}.`);
  }

  /**
   * One template, locked until the transaction ends.
   * @throws DomainError template_not_found.
   */
  async locked(tx: Transaction, scope: WorkspaceScope, slug: string): Promise<Template> {
    const template = isStorableSlug(slug) ? await this.templates.lock(tx, scope, slug) : undefined;
    if (!template) throw notFound(slug);
    return template;
  }

  private report(scope: WorkspaceScope, template: Template, actor: string, message: string): void {
    const { slug, version, validationStatus } = template;
    this.logger.info({ workspaceId: scope.workspaceId, slug, version, validationStatus, actor }, message);
  }
}

/** A text with NUL cannot be a slug, and PostgreSQL rejects it. */
function isStorableSlug(slug: string): boolean {
  return !slug.includes('\0');
}

function notFound(slug: string): DomainError {
  return new DomainError('template_not_found', `No template has the slug ${slug}.`);
}
