/** Renders the parts of messages from their source, and caches the compiled source for later messages. */
import { LRUCache } from 'lru-cache';
import type { RenderContext, RenderResult } from '../../../language/language.js';
import {
  compileContent,
  type CompiledContent,
  type CompiledParts,
  type ContentProperties,
} from './compiled-content.js';
import type { Template } from './template.js';

/** The source of a message. */
export type MessageSource = Pick<Template, 'subject' | 'bodyHtml' | 'bodyText' | 'templateLanguage'>;

/** The result of each part; the subject is null if the template has none. */
export interface MessageParts {
  readonly subject: RenderResult | null;
  readonly html: RenderResult;
  readonly text: RenderResult;
}

/**
 * @param work limit of each part, as for CompiledTemplate.render.
 */
export function renderParts(parts: CompiledParts, context: RenderContext, work?: number): MessageParts {
  return {
    subject: parts.subject && parts.subject.render(context, work),
    html: parts.html.render(context, work),
    text: parts.text.render(context, work),
  };
}

/** Capacity of the cache, in characters of source. */
const CACHE_CAPACITY = 8 * 1024 * 1024;

export class MessageRenderer {
  private readonly cache = new LRUCache<string, CompiledContent>({ maxSize: CACHE_CAPACITY });

  /**
   * The properties on which delivery bases its decisions.
   * @param key identifies the source; a changed source needs another key.
   */
  properties(key: string, source: MessageSource): ContentProperties {
    const { hasErrors, unresolvedPlaceholder, eventKeys, compileWork } = this.compiled(key, source);
    return { hasErrors, unresolvedPlaceholder, eventKeys, compileWork };
  }

  render(key: string, source: MessageSource, context: RenderContext): MessageParts {
    return renderParts(this.compiled(key, source), context);
  }

  private compiled(key: string, source: MessageSource): CompiledContent {
    let compiled = this.cache.get(key);
    if (!compiled) this.cache.set(key, (compiled = compileContent(source)), { size: sizeOf(source) });
    return compiled;
  }
}

/** Characters of a source. */
function sizeOf({ subject, bodyHtml, bodyText }: MessageSource): number {
  return (subject?.length ?? 0) + bodyHtml.length + bodyText.length;
}
