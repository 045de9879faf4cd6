/**
 * The content of a test email made ready for rendering (section 4.3). It is read as a template that is saved would be,
 * though nobody saves it, so that the test shows what the real email will be and fails where that one would.
 */
import type { RenderContext } from '../../../language/language.js';
import { compileVersion } from '../../templates/domain/compiled-version.js';
import { newTemplate } from '../../templates/domain/new-template.js';
import { joinParts, type RenderedMessage } from './rendered-message.js';

export type TestContent =
  | { readonly kind: 'ready'; readonly render: (context: RenderContext) => RenderedMessage }
  /** It must go to nobody. */
  | { readonly kind: 'blocked'; readonly reason: 'unresolved_placeholder' | 'template_errors' };

/** Reads the content; a placeholder stands against it before anything else does. */
export function readTestContent(subject: string, bodyHtml: string, now: Date): TestContent {
  const unsaved = newTemplate({ name: '', slug: '', subject, bodyHtml }, '', now);
  const compiled = compileVersion(unsaved);
  if (compiled.unresolvedPlaceholder) return { kind: 'blocked', reason: 'unresolved_placeholder' };
  if (compiled.hasErrors) return { kind: 'blocked', reason: 'template_errors' };
  return {
    kind: 'ready',
    render: (context) =>
      joinParts({
        subject: compiled.subject?.render(context) ?? { kind: 'rendered', text: '' },
        html: compiled.html.render(context),
        text: compiled.text.render(context),
      }),
  };
}
