/**
 * Prepares the content of a test email for rendering (section 4.3). It is parsed like a saved template, although it is
 * not saved, so that the test shows what the real email will look like and fails where that would fail.
 */
import type { ThreadTask } from '../../../kernel/thread-task.js';
import { MAX_INLINE_WORK, type RenderContext, type TemplateLanguage } from '../../../language/language.js';
import { compileContent } from '../../templates/domain/compiled-content.js';
import { newTemplate } from '../../templates/domain/new-template.js';
import { joinParts, type RenderedMessage } from './rendered-message.js';

export type TestContent =
  | { readonly kind: 'ready'; readonly render: (context: RenderContext, work?: number) => RenderedMessage }
  /** It must not be sent to anyone. */
  | { readonly kind: 'blocked'; readonly reason: 'unresolved_placeholder' | 'template_errors' };

/**
 * Parses the content. An unresolved placeholder is reported before any other problem.
 * @param templateLanguage the pinned language; detected if null.
 */
export function readTestContent(
  subject: string,
  bodyHtml: string,
  now: Date,
  templateLanguage: TemplateLanguage | null = null,
): TestContent {
  const unsaved = newTemplate({ name: '', slug: '', subject, bodyHtml, templateLanguage }, '', now);
  const compiled = compileContent(unsaved);
  if (compiled.unresolvedPlaceholder) return { kind: 'blocked', reason: 'unresolved_placeholder' };
  if (compiled.hasErrors) return { kind: 'blocked', reason: 'template_errors' };
  return {
    kind: 'ready',
    render: (context, maxCost) =>
      joinParts({
        subject: compiled.subject?.render(context, maxCost) ?? { kind: 'rendered', text: '' },
        html: compiled.html.render(context, maxCost),
        text: compiled.text.render(context, maxCost),
      }),
  };
}

/** The messages of a test send, one for each context; or why there are none. */
export type TestMessages =
  | { readonly kind: 'ready'; readonly messages: readonly RenderedMessage[] }
  | Extract<TestContent, { kind: 'blocked' }>;

interface TestMessagesWork {
  readonly subject: string;
  readonly bodyHtml: string;
  readonly templateLanguage: TemplateLanguage | null;
  readonly contexts: readonly RenderContext[];
  readonly now: Date;
}

export const TEST_MESSAGES: ThreadTask<TestMessagesWork, TestMessages> = {
  name: 'delivery.test-messages',
  run: (work) => messagesOf(work),
  attempt: (work) => {
    const test = messagesOf(work, MAX_INLINE_WORK);
    return exceedsCostLimit(test) ? undefined : test;
  },
};

/** @param maxCost the cost limit of a part, as CompiledTemplate.render takes it. */
function messagesOf(work: TestMessagesWork, maxCost?: number): TestMessages {
  const { subject, bodyHtml, templateLanguage, contexts, now } = work;
  const content = readTestContent(subject, bodyHtml, now, templateLanguage);
  if (content.kind === 'blocked') return content;
  return { kind: 'ready', messages: contexts.map((context) => content.render(context, maxCost)) };
}

/** Whether a message exceeded its cost limit. */
function exceedsCostLimit(test: TestMessages): boolean {
  return (
    test.kind === 'ready' &&
    test.messages.some((message) => message.kind === 'failed' && message.error.code === 'work_limit')
  );
}
