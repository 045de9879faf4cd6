/** Subjects that flow steps bring along (section 9): templates too, compiled once and kept while they are in use. */
import { Injectable } from '@nestjs/common';
import {
  type CompiledTemplate,
  compileTemplate,
  readSource,
  type RenderContext,
  type RenderResult,
} from '../../../language/language.js';

const MOST_KEPT = 1_000;

@Injectable()
export class SubjectTemplates {
  /** In the order of use, the longest unused first. */
  private readonly kept = new Map<string, CompiledTemplate>();

  /** Renders the source with the data of one message. */
  render(source: string, context: RenderContext): RenderResult {
    const template = this.kept.get(source) ?? compileTemplate(readSource(source, null).tree, 'subject');
    this.kept.delete(source);
    this.kept.set(source, template);
    const [longestUnused] = this.kept.keys();
    if (this.kept.size > MOST_KEPT && longestUnused !== undefined) this.kept.delete(longestUnused);
    return template.render(context);
  }
}
