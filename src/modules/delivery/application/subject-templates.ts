/** Subjects that flow steps bring along (section 9): templates too, compiled once and kept while they are in use. */
import { Injectable } from '@nestjs/common';
import { compileTemplate, type CompiledTemplate } from '../../templates/domain/nlt/compiler.js';
import { parseTemplate } from '../../templates/domain/nlt/parser.js';
import type { RenderContext, RenderResult } from '../../templates/domain/nlt/render-context.js';

const MOST_KEPT = 1_000;

@Injectable()
export class SubjectTemplates {
  private readonly kept = new Map<string, CompiledTemplate>();

  /** Renders the source with the data of one message. */
  render(source: string, context: RenderContext): RenderResult {
    let template = this.kept.get(source);
    if (!template) {
      if (this.kept.size >= MOST_KEPT) this.kept.clear();
      template = compileTemplate(parseTemplate(source), 'subject');
      this.kept.set(source, template);
    }
    return template.render(context);
  }
}
