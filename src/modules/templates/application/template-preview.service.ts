/** Looking at templates before anybody receives them, section 4.3: preview, render-inline and validate. */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { DomainError } from '../../../kernel/domain-error.js';
import { snakeKeys } from '../../../kernel/letter-case.js';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { findProblems, type TemplateLanguage } from '../../../language/language.js';
import { compileContent } from '../domain/compiled-version.js';
import { textOf } from '../domain/new-template.js';
import { contextOf, previewOf, type Preview, type PreviewSample } from '../domain/preview.js';
import type { InlineContent } from '../domain/read-preview.js';
import { checkTemplate, type TemplateCheck } from '../domain/template-check.js';
import type { Template } from '../domain/template.js';
import { TemplateService } from './template.service.js';

type Content = Pick<Template, 'subject' | 'bodyHtml' | 'bodyText' | 'templateLanguage'>;

/** A preview that could be made. */
export type RenderedPreview = Exclude<Preview, { kind: 'failed' }>;

@Injectable()
export class TemplatePreviewService {
  constructor(
    private readonly templates: TemplateService,
    private readonly clock: Clock,
  ) {}

  /**
   * Renders a saved template, as it is stored at this moment.
   * @throws DomainError template_not_found; template_errors when nothing can be rendered.
   */
  async preview(scope: WorkspaceScope, slug: string, sample: PreviewSample): Promise<RenderedPreview> {
    return this.render(await this.templates.getBySlug(scope, slug), sample);
  }

  /**
   * Renders content that is saved nowhere.
   * @throws DomainError template_errors when nothing can be rendered.
   */
  renderInline(
    { subject, bodyHtml, sample }: InlineContent,
    language: TemplateLanguage | null,
  ): RenderedPreview {
    const content = { subject, bodyHtml: bodyHtml ?? '', templateLanguage: language };
    return this.render({ ...content, bodyText: textOf(content) }, sample);
  }

  /** Tells what is wrong with content that is saved nowhere, and what it would look like. */
  validate(content: InlineContent, language: TemplateLanguage | null): TemplateCheck {
    return checkTemplate(content, language, this.clock.now());
  }

  private render(content: Content, sample: PreviewSample): RenderedPreview {
    const preview = previewOf(compileContent(content), contextOf(sample, this.clock.now()));
    if (preview.kind !== 'failed') return preview;
    throw new DomainError('template_errors', 'The template cannot be rendered.', {
      errors: preview.errors,
      findings: findProblems(content).map(snakeKeys),
    });
  }
}
