/** Renders the parts of messages from their source, and keeps what it has compiled for the messages that follow. */
import { LRUCache } from 'lru-cache';
import type { RenderContext, RenderResult } from '../../../language/language.js';
import {
  compileContent,
  type CompiledContent,
  type CompiledParts,
  type ContentFacts,
} from './compiled-version.js';
import type { Template } from './template.js';

/** The source of a message. */
export type MessageSource = Pick<Template, 'subject' | 'bodyHtml' | 'bodyText' | 'templateLanguage'>;

/** The outcome of each part; the subject is null where the template has none. */
export interface MessageParts {
  readonly subject: RenderResult | null;
  readonly html: RenderResult;
  readonly text: RenderResult;
}

/** @param work how much each part may cost, as CompiledTemplate.render takes it. */
export function renderParts(parts: CompiledParts, context: RenderContext, work?: number): MessageParts {
  return {
    subject: parts.subject && parts.subject.render(context, work),
    html: parts.html.render(context, work),
    text: parts.text.render(context, work),
  };
}

/** Characters of source whose compiled form is kept. */
const MOST_KEPT = 8 * 1024 * 1024;

export class MessageRenderer {
  private readonly kept = new LRUCache<string, CompiledContent>({ maxSize: MOST_KEPT });

  /**
   * What delivery decides with.
   * @param key names the source for as long as it does not change.
   */
  facts(key: string, source: MessageSource): ContentFacts {
    const { hasErrors, unresolvedPlaceholder, eventKeys, compileWork } = this.compiled(key, source);
    return { hasErrors, unresolvedPlaceholder, eventKeys, compileWork };
  }

  render(key: string, source: MessageSource, context: RenderContext): MessageParts {
    return renderParts(this.compiled(key, source), context);
  }

  private compiled(key: string, source: MessageSource): CompiledContent {
    let compiled = this.kept.get(key);
    if (!compiled) this.kept.set(key, (compiled = compileContent(source)), { size: sizeOf(source) });
    return compiled;
  }
}

/** Characters of a source. */
function sizeOf({ subject, bodyHtml, bodyText }: MessageSource): number {
  return (subject?.length ?? 0) + bodyHtml.length + bodyText.length;
}
