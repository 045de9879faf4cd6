/**
 * What mends a finding without a decision of its author: an address that is encrypted, an image that has words, a frame
 * that is whole, a preheader, tags that are closed, fonts with a generic one behind them. Where more than one mending is possible there is none.
 */
import type { ElementPlaces } from '../email/element-places.js';
import type { PlacedFinding } from '../analysis/joined-findings.js';
import type { EmailElement, ParsedEmail } from '../email/parsed-email.js';
import type { RuleName } from '../rules/catalogue.js';
import type { SourceEdit } from '../findings/finding.js';
import { preheaderIn, wordsOfAddress } from './fixing-words.js';
import { fontFixes, fontLists } from './font-fixes.js';
import { withCharset, withDoctype, withLanguage, withTitle } from './frame-fixes.js';
import { tagFixes, tagKey } from './tag-fixes.js';

/** What a finding is mended by. */
interface Material {
  readonly email: ParsedEmail;
  readonly element: EmailElement | undefined;
  readonly finding: PlacedFinding;
  /** As it is written, with its expressions. */
  readonly subject: string | null;
  readonly tags: () => ReturnType<typeof tagFixes>;
  readonly fonts: () => ReturnType<typeof fontLists>;
}

type Fix = (material: Material) => readonly SourceEdit[];

const tag: Fix = ({ finding, tags }) => tags().get(tagKey(finding)) ?? [];
const font: Fix = ({ email, finding: { target = '' }, fonts }) =>
  fontFixes(email, target, fonts().get(target) ?? []);

const FIXES: Readonly<Partial<Record<RuleName, Fix>>> = {
  link_insecure: ({ element, email }) => encrypted(email, element, ['href']),
  image_insecure: ({ element, email }) => encrypted(email, element, ['src', 'background']),
  image_without_alt: ({ element }) => withAlt(element),
  lang_missing: ({ email }) => withLanguage(email),
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

/** The findings with the edits that mend them, where any do. */
export function withFixes(
  findings: readonly PlacedFinding[],
  email: ParsedEmail | null,
  elements: ElementPlaces,
  subject: string | null,
): PlacedFinding[] {
  if (!email) return [...findings];
  const tags = once(() => tagFixes(email));
  const fonts = once(() => fontLists(email));
  return findings.map((finding) => {
    const element = finding.at === null ? undefined : elements.at(finding.at);
    const edits = finding.edits ?? FIXES[finding.rule]?.({ email, element, finding, subject, tags, fonts });
    return edits && edits.length > 0 ? { ...finding, edits } : finding;
  });
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | null = null;
  return () => (made ??= { value: make() }).value;
}

/** Only where each attribute holds one such address, as written. */
function encrypted(
  { source }: ParsedEmail,
  element: EmailElement | undefined,
  names: readonly string[],
): SourceEdit[] {
  return names.flatMap((name) => {
    const place =
      element && Object.hasOwn(element.attributePlaces, name) ? element.attributePlaces[name] : null;
    if (!place) return [];
    const written = source.slice(place.startOffset, place.endOffset);
    const [found, more] = [...written.matchAll(/http:\/\//gi)];
    if (!found || more) return [];
    const start = place.startOffset + found.index;
    return [{ start, end: start + found[0].length, text: 'https://' }];
  });
}

/** Decorations get an empty text, the rest what their file is called; none where that says nothing. */
function withAlt(element: EmailElement | undefined): SourceEdit[] {
  if (!element || element.attributes.has('alt')) return [];
  const words = wordsOfAddress(element.attributes.get('src') ?? '');
  const isTiny = ['width', 'height'].some((side) => /^[01](px)?$/.test(element.attributes.get(side) ?? ''));
  if (words === null && !isTiny) return [];
  const at = element.offset + '<img'.length;
  return [{ start: at, end: at, text: ` alt="${isTiny ? '' : words}"` }];
}

function withPreheader(email: ParsedEmail): SourceEdit[] {
  const body = email.elements.find(({ name, isWritten }) => name === 'body' && isWritten);
  const text = preheaderIn(email);
  if (!body || text === null) return [];
  const style = 'display:none;max-height:0;overflow:hidden;mso-hide:all';
  return [{ start: body.end, end: body.end, text: `\n<div style="${style}">${text}</div>` }];
}
