/**
 * A version of a template, ready for delivery. Templates that are cheap to compile, which are nearly all, are
 * compiled in this thread and rendered in it up to FIRST_WORK; for larger ones, a worker thread first finds out
 * whether compiling is cheap. Expensive compilation and longer rendering run on worker threads, so that no tenant's
 * mail waits for another tenant's.
 */
import { DomainError } from '../../../kernel/domain-error.js';
import { FIRST_WORK, type RenderContext } from '../../../language/language.js';
import { isSmall, type Threads } from '../../../platform/threads/threads.js';
import { type CompiledContent, compileContent, type ContentFacts } from '../domain/compiled-version.js';
import { type MessageParts, type MessageSource, renderParts } from '../domain/message-rendering.js';
import { isOverworked } from '../domain/preview.js';
import { FACTS, RENDER } from '../domain/template-tasks.js';
import type { Template } from '../domain/template.js';

export interface ReadyTemplate extends ContentFacts {
  readonly version: number;
  readonly isActive: boolean;
  /**
   * Renders the parts of one message.
   * @throws DomainError service_unavailable, work_too_costly as Threads.run.
   */
  readonly render: (context: RenderContext) => Promise<MessageParts>;
}

/** Maximum work compiled in this thread, in the unit of CompiledTemplate: about 20 ms at worst, once per version. */
const MOST_COMPILED_HERE = 200_000;

/** Bytes that a queued message adds: next to nothing, since the source is in memory anyway. */
const HELD = 0;

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
    const facts = await threads.onThread(owner, FACTS, { key, source }, HELD).catch(knownToBeTooCostly);
    const render = (context: RenderContext): Promise<MessageParts> =>
      threads.onThread(owner, RENDER, { key, source, context }, HELD);
    if (facts.hasErrors || facts.compileWork > MOST_COMPILED_HERE)
      return { ...facts, version, isActive, render };
  }
  const compiled: CompiledContent = compileContent(source);
  const { hasErrors, unresolvedPlaceholder, eventKeys, compileWork } = compiled;
  const task: typeof RENDER = {
    ...RENDER,
    attempt: ({ context }) => {
      const parts = renderParts(compiled, context, FIRST_WORK);
      return Object.values(parts).some(isOverworked) ? undefined : parts;
    },
  };
  const render = (context: RenderContext): Promise<MessageParts> =>
    threads.run(owner, task, { key, source, context }, HELD);
  return { hasErrors, unresolvedPlaceholder, eventKeys, compileWork, version, isActive, render };
}

/**
 * Makes each message of this template fail when it is rendered, without affecting templates loaded together with it.
 */
function knownToBeTooCostly(error: unknown): ContentFacts {
  if (error instanceof DomainError && error.code === 'work_too_costly')
    return {
      hasErrors: false,
      unresolvedPlaceholder: false,
      eventKeys: [],
      compileWork: Number.POSITIVE_INFINITY,
    };
  throw error;
}
