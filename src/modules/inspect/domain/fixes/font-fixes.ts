/** Fixes font lists without a generic family: adds one at the end, at every use of the list. */
import { holdsExpression } from '../email/blanked-source.js';
import type { ParsedEmail } from '../email/parsed-email.js';
import { declarationsOf, type ElementDeclaration } from '../checks/element-findings.js';
import type { SourceEdit } from '../findings/finding.js';

/** Maximum number of uses of one list; with more of them none is fixed. */
const MAX_USES = 300;
/** Maximum number of characters of a declaration or of a style attribute that are read. */
const MAX_STYLE_LENGTH = 2_000;
const MONOSPACE = /\b(?:mono|monospaced?|code|courier|consolas|menlo|monaco)\b|mono$/i;
const SERIF =
  /\b(?:georgia|times|garamond|palatino|cambria|baskerville|didot|bodoni|caslon|merriweather|playfair|lora|serif|slab)\b/i;
/** The value of `font-family:`: strings, entities and everything else that does not end a declaration. */
const LIST =
  /font-family\s*:\s*((?:"[^"]*"|'[^']*'|&#?\w{1,10};|[^;{}"'!])*)(?:!\s*important\s*)?(?=[;}]|$)/gi;

/** The font lists of an email by their text, in lower case. */
export function fontLists(email: ParsedEmail): ReadonlyMap<string, readonly ElementDeclaration[]> {
  const lists = new Map<string, ElementDeclaration[]>();
  for (const declared of declarationsOf(email)) {
    const { property, text } = declared.declaration;
    if (property !== 'font-family' || holdsExpression(text)) continue;
    const list = text.toLowerCase();
    const uses = lists.get(list);
    if (uses) uses.push(declared);
    else lists.set(list, [declared]);
  }
  return lists;
}

/** Empty if one of the uses cannot be found as it is written. */
export function fontFixes(
  email: ParsedEmail,
  list: string,
  uses: readonly ElementDeclaration[],
): SourceEdit[] {
  if (uses.length > MAX_USES || list.endsWith(',')) return [];
  const text = `, ${genericOf(list)}`;
  const edits = new Map<number, SourceEdit>();
  for (const use of uses) {
    const ends = endsIn(email, use, list);
    if (ends.length === 0) return [];
    for (const end of ends) edits.set(end, { start: end, end, text });
  }
  return [...edits.values()].sort((a, b) => a.start - b.start);
}

function genericOf(list: string): string {
  if (MONOSPACE.test(list)) return 'monospace';
  return SERIF.test(list) && !/\bsans\b/i.test(list) ? 'serif' : 'sans-serif';
}

/** Where the list ends in its declaration or in its style attribute. */
function endsIn(
  { source }: ParsedEmail,
  { declaration, element }: ElementDeclaration,
  list: string,
): number[] {
  const [from, to] = element
    ? valueRange(source, element.attributeRanges['style'])
    : [declaration.offset, declaration.end];
  if (to - from > MAX_STYLE_LENGTH) return [];
  const ends: number[] = [];
  for (const found of source.slice(from, to).matchAll(LIST)) {
    const written = (found[1] ?? '').trimEnd();
    if (decoded(written).trim().toLowerCase() !== list) continue;
    const begin = found.index + found[0].indexOf(found[1] ?? '', found[0].indexOf(':') + 1);
    ends.push(from + begin + written.length);
  }
  return ends;
}

/** The range between the quotes of an attribute. */
function valueRange(
  source: string,
  range: { readonly startOffset: number; readonly endOffset: number } | undefined,
): [number, number] {
  if (!range) return [0, 0];
  const written = source.slice(range.startOffset, range.endOffset);
  const quoted = /^[^=]*=\s*(["'])/.exec(written);
  // A space would end an unquoted value.
  return quoted ? [range.startOffset + quoted[0].length, range.endOffset - 1] : [0, 0];
}

function decoded(written: string): string {
  return written
    .replace(/&quot;|&#34;|&#x22;/gi, '"')
    .replace(/&apos;|&#39;|&#x27;/gi, "'")
    .replace(/&amp;/gi, '&');
}
