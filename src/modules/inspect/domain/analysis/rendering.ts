/**
 * Renders a template for inspection (section 4.7): with a contact's data if given, and with sample values for
 * everything else. Made-up parts of the result are recorded, so that no rule judges them.
 */
import {
  compileTemplate,
  readsOf,
  parseSource,
  renderTraced,
  type RenderContext,
  type RenderResult,
  type ParsedSource,
} from '../../../../language/language.js';
import { contextOf, type PreviewSample } from '../../../templates/domain/preview.js';
import type { InspectedContent, RenderedMessage, SourcePiece } from './analysis.js';
import { sampleFor } from './sample-values.js';

export interface Rendering {
  readonly message: RenderedMessage;
  readonly pieces: readonly SourcePiece[];
  /** As `pieces`, for the subject. */
  readonly subjectPieces: readonly SourcePiece[];
  /** Offsets in the body of the expressions that show values, and of those whose values are a contact's own. */
  readonly values: ReadonlySet<number>;
  readonly ownValues: ReadonlySet<number>;
}

/** Why nothing is rendered; `isSyntax` if the template has errors, which are reported as separate findings. */
export interface RenderingFailure {
  readonly why: string;
  readonly isSyntax: boolean;
}

/** @param sample a contact's data; null: all values are made up. */
export function renderFor(
  content: InspectedContent,
  sample: PreviewSample | null,
  now: Date,
): Rendering | RenderingFailure {
  const { subject, bodyHtml, bodyText, templateLanguage } = content;
  const subjectReading = subject === null ? null : parseSource(subject, templateLanguage);
  const body = parseSource(bodyHtml, templateLanguage);
  // Compiled as for delivery: the text is made from the converted body, so it is NLT.
  const text = parseSource(bodyText, templateLanguage === 'jinja2' ? null : templateLanguage);
  const sampleValues = sampleFor(
    [subjectReading, body, text].flatMap((reading) => (reading ? readsOf(reading.tree.nodes).names : [])),
    bodyHtml,
    now,
  );
  const context = contextOf(mergedSample(sampleValues, sample), now);
  const { result, pieces } = renderTraced(body.tree, context);
  const parts = [
    ['subject', subjectReading && render(subjectReading, 'subject', context)],
    ['body', result],
    ['plain-text version', render(text, 'text', context)],
  ] as const;
  for (const [part, outcome] of parts)
    if (outcome && outcome.kind !== 'rendered') return failureOf(part, outcome);
  const [shownSubject = null, shownHtml, shownText] = parts.map(([, outcome]) =>
    outcome?.kind === 'rendered' ? outcome.text : null,
  );
  const { values } = readsOf(body.tree.nodes);
  const own = sample?.contact
    ? values.filter(({ names }) => names.every(({ source }) => source === 'contact'))
    : [];
  return {
    message: { subject: shownSubject, html: shownHtml ?? '', text: shownText ?? '' },
    pieces,
    subjectPieces: subjectReading ? renderTraced(subjectReading.tree, context).pieces : [],
    values: new Set(values.map(({ offset }) => offset)),
    ownValues: new Set(own.map(({ offset }) => offset)),
  };
}

/** A contact's data unchanged, and events as given or made up. */
function mergedSample(sampleValues: PreviewSample, given: PreviewSample | null): PreviewSample {
  if (!given) return sampleValues;
  return {
    contact: given.contact ?? sampleValues.contact,
    triggerEvent: given.triggerEvent ?? sampleValues.triggerEvent,
    additionalEvents: { ...sampleValues.additionalEvents, ...given.additionalEvents },
  };
}

function render({ tree }: ParsedSource, target: 'subject' | 'text', context: RenderContext): RenderResult {
  return compileTemplate(tree, target).render(context);
}

function failureOf(part: string, result: Exclude<RenderResult, { kind: 'rendered' }>): RenderingFailure {
  if (result.kind === 'suppressed')
    return { why: `The ${part} needs ${result.field || 'a value'}, which is missing.`, isSyntax: false };
  return {
    why: `The ${part} cannot be rendered: ${result.error.message}`,
    isSyntax: result.error.code === 'syntax_error',
  };
}
