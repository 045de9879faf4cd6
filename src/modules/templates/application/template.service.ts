/** Saving and reading templates, section 4.3. */
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { Clock } from '../../../kernel/clock.js';
import { DomainError, invalidFields } from '../../../kernel/domain-error.js';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { uuidv7 } from '../../../kernel/uuid.js';
import { Database } from '../../../platform/database/database.js';
import { LOGGER } from '../../../platform/logging/logger.js';
import { deriveText } from '../domain/derive-text.js';
import { templateErrors } from '../domain/template-bounds.js';
import { findProblems, statusOf } from '../domain/template-findings.js';
import type { NewTemplate, Template } from '../domain/template.js';
import { TemplateRepository } from '../persistence/template.repository.js';

@Injectable()
export class TemplateService {
  constructor(
    private readonly database: Database,
    private readonly templates: TemplateRepository,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Saves a new template with what validation finds in it; findings never keep it from being saved.
   * @param actor who does it, for the log.
   * @throws DomainError invalid_field for a field outside of its bounds, duplicate_slug.
   */
  async create(scope: WorkspaceScope, input: NewTemplate, actor: string): Promise<Template> {
    const errors = templateErrors(input);
    if (errors.length > 0) throw invalidFields(errors);
    const template = newTemplate(input, this.clock.now());
    const inserted = await this.database.inScope(scope, (tx) => this.templates.insert(tx, scope, template));
    if (!inserted)
      throw new DomainError('duplicate_slug', `A template with the slug ${input.slug} exists already.`);
    const { slug, validationStatus } = template;
    this.logger.info({ workspaceId: scope.workspaceId, slug, validationStatus, actor }, 'Template created');
    return template;
  }

  /** All templates, the most recently updated first. */
  async list(scope: WorkspaceScope): Promise<Template[]> {
    return this.database.inScope(scope, (tx) => this.templates.list(tx, scope));
  }

  /**
   * One template.
   * @throws DomainError template_not_found.
   */
  async getBySlug(scope: WorkspaceScope, slug: string): Promise<Template> {
    const [template] = await this.find(scope, [slug]);
    if (!template) throw new DomainError('template_not_found', `No template has the slug ${slug}.`);
    return template;
  }

  /** The templates of these slugs, as far as they exist. */
  async find(scope: WorkspaceScope, slugs: readonly string[]): Promise<Template[]> {
    // A text with NUL can be no slug, and no text of PostgreSQL.
    const possible = slugs.filter((slug) => !slug.includes('\0'));
    return this.database.inScope(scope, (tx) => this.templates.find(tx, scope, possible));
  }
}

function newTemplate(input: NewTemplate, now: Date): Template {
  const content = {
    subject: input.subject ?? null,
    bodyHtml: input.bodyHtml,
    templateLanguage: input.templateLanguage ?? null,
  };
  const findings = findProblems(content);
  return {
    ...content,
    id: uuidv7(now.getTime()),
    name: input.name,
    slug: input.slug,
    bodyText: deriveText(input.bodyHtml),
    bodyAst: input.bodyAst ?? null,
    isActive: input.isActive ?? true,
    version: 1,
    validationStatus: statusOf(findings),
    validationErrors: findings,
    createdAt: now,
    updatedAt: now,
  };
}
