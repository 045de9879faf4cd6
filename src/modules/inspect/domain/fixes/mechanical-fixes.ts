/**
 * Finds the edits that fix a finding. Fixes need no decision of the author: a complete frame, a preheader, closed tags,
 * a generic font at the end of a list, an empty alt for an invisible image. Suggestions are guesses that the author has
 * to check: the host may not support https, and a file name may not describe what an image shows. If more than one
 * correction is possible, there is none.
 */
import type { ElementPositions } from '../email/element-positions.js';
import type { PositionedFinding } from '../analysis/joined-findings.js';
import type { EmailElement, ParsedEmail } from '../email/parsed-email.js';
import type { RuleName } from '../rules/catalogue.js';
import type { SourceEdit } from '../findings/finding.js';
import { guessedLanguage, languageOf, preheaderIn, altTextOfAddress } from './fix-texts.js';
import { fontFixes, fontLists } from './font-fixes.js';
import { withCharset, withDoctype, withLanguage, withTitle } from './frame-fixes.js';
import { tagFixes, tagKey } from './tag-fixes.js';

/** The inputs of a fix. */
interface FixInput {
  readonly email: ParsedEmail;
  readonly element: EmailElement | undefined;
  readonly finding: PositionedFinding;
  /** The source of the subject, with its expressions. */
  readonly subject: string | null;
  readonly tags: () => ReturnType<typeof tagFixes>;
  readonly fonts: () => ReturnType<typeof fontLists>;
}

type FixRule = (material: FixInput) => readonly SourceEdit[];

const tag: FixRule = ({ finding, tags }) => tags().get(tagKey(finding)) ?? [];
const font: FixRule = ({ email, finding: { target = '' }, fonts }) =>
  fontFixes(email, target, fonts().get(target) ?? []);

const FIXES: Readonly<Partial<Record<RuleName, FixRule>>> = {
  image_without_alt: ({ element }) => (isTiny(element) ? withAlt(element, '') : []),
  lang_missing: ({ email }) => withLanguage(email, languageOf(email)),
  doctype_missing: ({ email }) => withDoctype(email),
  charset_missing: ({ email }) => withCharset(email),
  title_missing: ({ email, subject }) => withTitle(email, subject),
  preheader_missing: ({ email }) => withPreheader(email),
  tag_unclosed: tag,
  tag_unopened: tag,
  tag_misnested: tag,
  font_fallback_missing: font,
  font_generic_missing: font,
};

const SUGGESTIONS: Readonly<Partial<Record<RuleName, FixRule>>> = {
  link_insecure: ({ element, email }) => encrypted(email, element, ['href']),
  image_insecure: ({ element, email }) => encrypted(email, element, ['src', 'background']),
  image_without_alt: ({ element }) =>
    withAlt(element, altTextOfAddress(element?.attributes.get('src') ?? '')),
  lang_missing: ({ email }) => withLanguage(email, guessedLanguage(email)),
};

/** The findings, with the edits that fix them, if any do. */
export function withFixes(
  findings: readonly PositionedFinding[],
  email: ParsedEmail | null,
  elements: ElementPositions,
  subject: string | null,
): PositionedFinding[] {
  if (!email) return [...findings];
  const tags = once(() => tagFixes(email));
  const fonts = once(() => fontLists(email));
  return findings.map((finding) => {
    const element = finding.at === null ? undefined : elements.at(finding.at);
    const input = { email, element, finding, subject, tags, fonts };
    const fix = finding.edits ?? FIXES[finding.rule]?.(input) ?? [];
    if (fix.length > 0) return { ...finding, edits: fix };
    const suggestion = SUGGESTIONS[finding.rule]?.(input) ?? [];
    return suggestion.length > 0 ? { ...finding, edits: suggestion, isSuggestion: true } : finding;
  });
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | null = null;
  return () => (made ??= { value: make() }).value;
}

/** Only if each attribute holds exactly one such address, as written. */
function encrypted(
  { source }: ParsedEmail,
  element: EmailElement | undefined,
  names: readonly string[],
): SourceEdit[] {
  return names.flatMap((name) => {
    const range =
      element && Object.hasOwn(element.attributeRanges, name) ? element.attributeRanges[name] : null;
    if (!range) return [];
    const written = source.slice(range.startOffset, range.endOffset);
    const [found, more] = [...written.matchAll(/http:\/\//gi)];
    if (!found || more) return [];
    const start = range.startOffset + found.index;
    return [{ start, end: start + found[0].length, text: 'https://' }];
  });
}

/** Whether an image is too small to be seen. */
function isTiny(element: EmailElement | undefined): boolean {
  return ['width', 'height'].some((side) => /^[01](px)?$/.test(element?.attributes.get(side) ?? ''));
}

/** @param altText null if nothing is known of the image. */
function withAlt(element: EmailElement | undefined, altText: string | null): SourceEdit[] {
  if (!element || altText === null || element.attributes.has('alt')) return [];
  const at = element.offset + '<img'.length;
  return [{ start: at, end: at, text: ` alt="${altText}"` }];
}

function withPreheader(email: ParsedEmail): SourceEdit[] {
  const body = email.elements.find(({ name, isWritten }) => name === 'body' && isWritten);
  const text = preheaderIn(email);
  if (!body || text === null) return [];
  const style = 'display:none;max-height:0;overflow:hidden;mso-hide:all';
  return [{ start: body.end, end: body.end, text: `\n<div style="${style}">${text}</div>` }];
}
