/**
 * A version of a template ready for delivery. A small one is compiled here and rendered where it is asked for, up to
 * FIRST_WORK; so is a larger one of which a thread has found that compiling is cheap, as it is of nearly all mail. What is
 * dear to compile, and what takes longer to render, is done on threads, so that no tenant's mail waits for another's.
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

/** Most that is compiled here, as CompiledTemplate counts: some 20 ms at worst, once for a version. */
const MOST_COMPILED_HERE = 200_000;

/** What a message adds to what waits, in bytes: next to nothing, since the source is held here anyway. */
const HELD = 0;

/**
 * Makes a template ready.
 * @param owner whose it is.
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

/** Fails each of its messages as it is rendered, and none of those that are loaded together with it. */
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
