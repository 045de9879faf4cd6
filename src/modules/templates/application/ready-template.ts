/**
 * A version of a template, ready for delivery. Templates that are cheap to compile, which are nearly all, are
 * compiled in this thread and rendered in it up to MAX_INLINE_WORK; for larger ones, a worker thread first finds out
 * whether compiling is cheap. Expensive compilation and longer rendering run on worker threads, so that no tenant's
 * mail waits for another tenant's.
 */
import { DomainError } from '../../../kernel/domain-error.js';
import { MAX_INLINE_WORK, type RenderContext } from '../../../language/language.js';
import { isSmall, type Threads } from '../../../platform/threads/threads.js';
import { type CompiledContent, compileContent, type ContentProperties } from '../domain/compiled-content.js';
import { type MessageParts, type MessageSource, renderParts } from '../domain/message-renderer.js';
import { isOverWorkLimit } from '../domain/preview.js';
import { CONTENT_PROPERTIES, RENDER } from '../domain/template-tasks.js';
import type { Template } from '../domain/template.js';

export interface ReadyTemplate extends ContentProperties {
  readonly version: number;
  readonly isActive: boolean;
  /**
   * Renders the parts of one message.
   * @throws DomainError service_unavailable, work_too_costly as Threads.run.
   */
  readonly render: (context: RenderContext) => Promise<MessageParts>;
}

/** Maximum work compiled in this thread, in the unit of CompiledTemplate: about 20 ms at worst, once per version. */
const MAX_INLINE_COMPILE_WORK = 200_000;

/** Bytes that a queued message adds: next to nothing, since the source is in memory anyway. */
const QUEUED_MESSAGE_BYTES = 0;

/**
 * Compiles a template for delivery.
 * @param owner the workspace of the template.
 * @throws DomainError service_unavailable as Threads.onThread.
 */
export async function readyTemplate(
  threads: Threads,
  owner: string,
  template: Pick<
    Template,
    'id' | 'version' | 'isActive' | 'subject' | 'bodyHtml' | 'bodyText' | 'templateLanguage'
  >,
): Promise<ReadyTemplate> {
  const { id, version, isActive, subject, bodyHtml, bodyText, templateLanguage } = template;
  const source: MessageSource = { subject, bodyHtml, bodyText, templateLanguage };
  const key = `${id}:${version}`;
  if (!isSmall(source)) {
    const properties = await threads
      .onThread(owner, CONTENT_PROPERTIES, { key, source }, QUEUED_MESSAGE_BYTES)
      .catch(propertiesIfTooCostly);
    const render = (context: RenderContext): Promise<MessageParts> =>
      threads.onThread(owner, RENDER, { key, source, context }, QUEUED_MESSAGE_BYTES);
    if (properties.hasErrors || properties.compileWork > MAX_INLINE_COMPILE_WORK)
      return { ...properties, version, isActive, render };
  }
  const compiled: CompiledContent = compileContent(source);
  const { hasErrors, unresolvedPlaceholder, eventKeys, compileWork } = compiled;
  const task: typeof RENDER = {
    ...RENDER,
    attempt: ({ context }) => {
      const parts = renderParts(compiled, context, MAX_INLINE_WORK);
      return Object.values(parts).some(isOverWorkLimit) ? undefined : parts;
    },
  };
  const render = (context: RenderContext): Promise<MessageParts> =>
    threads.run(owner, task, { key, source, context }, QUEUED_MESSAGE_BYTES);
  return { hasErrors, unresolvedPlaceholder, eventKeys, compileWork, version, isActive, render };
}

/**
 * Makes each message of this template fail when it is rendered, without affecting templates loaded together with it.
 */
function propertiesIfTooCostly(error: unknown): ContentProperties {
  if (error instanceof DomainError && error.code === 'work_too_costly')
    return {
      hasErrors: false,
      unresolvedPlaceholder: false,
      eventKeys: [],
      compileWork: Number.POSITIVE_INFINITY,
    };
  throw error;
}
