/** Previews templates before they are sent, section 4.3: preview, render-inline and validate. */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { DomainError } from '../../../kernel/domain-error.js';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { Threads } from '../../../platform/threads/threads.js';
import type { InlineContent, Preview, PreviewSample } from '../domain/preview.js';
import { spelledField, spelledFindings } from '../domain/spelled-findings.js';
import type { TemplateCheck } from '../domain/template-check.js';
import { CHECK, PREVIEW, type PreviewWork } from '../domain/template-tasks.js';
import { TemplateService } from './template.service.js';

/** A preview that could be rendered. */
export type RenderedPreview = Exclude<Preview, { kind: 'failed' }>;

@Injectable()
export class TemplatePreviewService {
  constructor(
    private readonly templates: TemplateService,
    private readonly threads: Threads,
    private readonly clock: Clock,
  ) {}

  /**
   * Renders a saved template as currently stored.
   * @throws DomainError template_not_found; template_errors if nothing can be rendered; work_too_costly,
   *   service_unavailable as Threads.run.
   */
  async preview(scope: WorkspaceScope, slug: string, sample: PreviewSample): Promise<RenderedPreview> {
    const { subject, bodyHtml, bodyText, templateLanguage } = await this.templates.getBySlug(scope, slug);
    return this.render(scope, { subject, bodyHtml, bodyText, templateLanguage }, sample);
  }

  /**
   * Renders unsaved content.
   * @throws DomainError template_errors if nothing can be rendered; as Threads.run.
   */
  async renderInline(
    scope: WorkspaceScope,
    { sample, bodyHtml, ...content }: InlineContent,
  ): Promise<RenderedPreview> {
    return this.render(scope, { ...content, bodyHtml: bodyHtml ?? '', bodyText: null }, sample);
  }

  /**
   * Validates unsaved content and renders it.
   * @throws DomainError work_too_costly, service_unavailable as Threads.run.
   */
  async validate(scope: WorkspaceScope, content: InlineContent): Promise<TemplateCheck> {
    return this.threads.run(scope.workspaceId, CHECK, { content, now: this.clock.now() });
  }

  private async render(
    scope: WorkspaceScope,
    content: PreviewWork['content'],
    sample: PreviewSample,
  ): Promise<RenderedPreview> {
    const work: PreviewWork = { content, sample, now: this.clock.now() };
    const { preview, findings } = await this.threads.run(scope.workspaceId, PREVIEW, work);
    if (preview.kind !== 'failed') return preview;
    throw new DomainError('template_errors', 'The template cannot be rendered.', (spell) => ({
      errors: preview.errors.map((error) => spelledField(error, spell)),
      findings: spelledFindings(findings, spell),
    }));
  }
}
