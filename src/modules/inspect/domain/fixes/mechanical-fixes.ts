/**
 * What mends a finding without a decision of its author: an address that is encrypted, an image that has words, a language
 * that is named, a preheader. Where more than one mending is possible there is none.
 */
import type { ElementPlaces } from '../email/element-places.js';
import type { PlacedFinding } from '../analysis/joined-findings.js';
import { placeOf, type EmailElement, type ParsedEmail } from '../email/parsed-email.js';
import type { RuleName } from '../rules/catalogue.js';
import type { SourceEdit } from '../findings/finding.js';
import { preheaderIn, wordsOfAddress, isEnglish } from './fixing-words.js';

type Fix = (element: EmailElement | undefined, email: ParsedEmail) => SourceEdit[];

const FIXES: Readonly<Partial<Record<RuleName, Fix>>> = {
  link_insecure: (element, email) => encrypted(email, element, ['href']),
  image_insecure: (element, email) => encrypted(email, element, ['src', 'background']),
  image_without_alt: (element) => withAlt(element),
  lang_missing: (_element, email) => withLanguage(email),
  preheader_missing: (_element, email) => withPreheader(email),
};

/** The findings with the edits that mend them, where any do. */
export function withFixes(
  findings: readonly PlacedFinding[],
  email: ParsedEmail | null,
  elements: ElementPlaces,
): PlacedFinding[] {
  return findings.map((finding) => {
    const fix = finding.edits || !email ? undefined : FIXES[finding.rule];
    const edits = fix && email ? fix(finding.at === null ? undefined : elements.at(finding.at), email) : [];
    return edits.length > 0 ? { ...finding, edits } : finding;
  });
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

function withLanguage(email: ParsedEmail): SourceEdit[] {
  const html = email.elements.find(({ name, isWritten }) => name === 'html' && isWritten);
  if (!html || placeOf(html, 'lang') !== html.offset || !isEnglish(email)) return [];
  const at = html.offset + '<html'.length;
  return [{ start: at, end: at, text: ' lang="en"' }];
}

function withPreheader(email: ParsedEmail): SourceEdit[] {
  const body = email.elements.find(({ name, isWritten }) => name === 'body' && isWritten);
  const text = preheaderIn(email);
  if (!body || text === null) return [];
  const style = 'display:none;max-height:0;overflow:hidden;mso-hide:all';
  return [{ start: body.end, end: body.end, text: `\n<div style="${style}">${text}</div>` }];
}
