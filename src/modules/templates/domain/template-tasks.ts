/** The expensive work on templates that can run on a worker thread: pure functions of values that can be cloned. */
import type { JsonObject } from '../../../kernel/json.js';
import type { ThreadTask } from '../../../kernel/thread-task.js';
import {
  convert,
  convertForeign,
  type Detection,
  detectLanguage,
  type DirectedConversion,
  type Direction,
  findProblems,
  MAX_INLINE_WORK,
  type ForeignConversion,
  type ForeignTemplate,
  type RenderContext,
  type TemplateFinding,
} from '../../../language/language.js';
import { type AstPatch, astPatch } from './ast-patch.js';
import { compileContent, type ContentProperties } from './compiled-content.js';
import { type MessageParts, MessageRenderer, type MessageSource } from './message-renderer.js';
import { type Content, type DerivedContent, deriveContent, textOf } from './new-template.js';
import { contextOf, type InlineContent, type Preview, previewOf, type PreviewSample } from './preview.js';
import { checkTemplate, type TemplateCheck } from './template-check.js';
import { type DiffHunk, hunksOf } from './version-diff.js';

/** The input of a preview; `bodyText` is derived from the body if it is not stored. */
export interface PreviewWork {
  readonly content: Content & { readonly bodyText: string | null };
  readonly sample: PreviewSample;
  readonly now: Date;
}

/** A preview; the findings are included if nothing can be rendered. */
interface PreviewOutcome {
  readonly preview: Preview;
  readonly findings: readonly TemplateFinding[];
}

interface CheckWork {
  readonly content: InlineContent;
  readonly now: Date;
}

interface MessageWork {
  /** Identifies the source; a changed source needs another key. */
  readonly key: string;
  readonly source: MessageSource;
}

/** Derives data from a content that is saved. */
export const DERIVE: ThreadTask<Content, DerivedContent> = { name: 'templates.derive', run: deriveContent };

export const PREVIEW: ThreadTask<PreviewWork, PreviewOutcome> = {
  name: 'templates.preview',
  run: (work) => previewed(work),
  attempt: (work) => {
    const outcome = previewed(work, MAX_INLINE_WORK);
    return outcome.preview.kind === 'failed' && outcome.preview.exceedsWorkLimit ? undefined : outcome;
  },
};

/**
 * @param workLimit work limit of a part, as for CompiledTemplate.render.
 */
function previewed({ content, sample, now }: PreviewWork, workLimit?: number): PreviewOutcome {
  const complete = { ...content, bodyText: content.bodyText ?? textOf(content) };
  const preview = previewOf(compileContent(complete), contextOf(sample, now), workLimit);
  return { preview, findings: preview.kind === 'failed' ? findProblems(content) : [] };
}

export const CHECK: ThreadTask<CheckWork, TemplateCheck> = {
  name: 'templates.check',
  run: ({ content, now }) => checkTemplate(content, now),
  attempt: ({ content, now }) => {
    const check = checkTemplate(content, now, MAX_INLINE_WORK);
    return check.exceedsWorkLimit ? undefined : check;
  },
};

export const DETECT: ThreadTask<string, Detection> = { name: 'templates.detect', run: detectLanguage };

export const CONVERT: ThreadTask<
  { readonly content: string; readonly direction: Direction },
  DirectedConversion
> = { name: 'templates.convert', run: ({ content, direction }) => convert(content, direction) };

export const CONVERT_FOREIGN: ThreadTask<ForeignTemplate, ForeignConversion> = {
  name: 'templates.convert-foreign',
  run: convertForeign,
};

export const HUNKS: ThreadTask<{ readonly from: string; readonly to: string }, readonly DiffHunk[]> = {
  name: 'templates.hunks',
  run: ({ from, to }) => hunksOf(from, to),
};

export const AST_PATCH: ThreadTask<{ readonly from: JsonObject; readonly to: JsonObject }, AstPatch | null> =
  { name: 'templates.ast-patch', run: ({ from, to }) => astPatch(from, to) };

/** The compiled sources cached in this thread. */
const messages = new MessageRenderer();

export const CONTENT_PROPERTIES: ThreadTask<MessageWork, ContentProperties> = {
  name: 'templates.facts',
  run: ({ key, source }) => messages.properties(key, source),
};

export const RENDER: ThreadTask<MessageWork & { readonly context: RenderContext }, MessageParts> = {
  name: 'templates.render',
  run: ({ key, source, context }) => messages.render(key, source, context),
};

export const TEMPLATE_TASKS = [
  DERIVE,
  PREVIEW,
  CHECK,
  DETECT,
  CONVERT,
  CONVERT_FOREIGN,
  HUNKS,
  AST_PATCH,
  CONTENT_PROPERTIES,
  RENDER,
] as const;
