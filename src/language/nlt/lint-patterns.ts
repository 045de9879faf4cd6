/**
 * Lint warnings: text that the language accepts although the author surely meant something else (specification section
 * 4.3: validate).
 *
 * Edge cases:
 * - `{{the …}}`, `{user's …}`, `{endif}` and similar forms are plain text for the language.
 * - A modifier without its comma is parsed as a part of the preceding name: `the user's Nickname or the user's Name` is
 *   the field `Name` of `Nickname or the user`. Conditions support `or`, so they are not checked.
 * - Editors insert tags everywhere, so tags in quotes are removed; the author may have meant them.
 */
import { operandsOf } from './template-walk.js';
import { Tokenizer } from './tokenizer.js';
import type { Operand, PipedValue } from './tree.js';

/** Braces that are text for the language, although no author means them as text. */
export const LINT_PATTERNS: readonly { readonly pattern: RegExp; readonly message: string }[] = [
  {
    pattern: /\{\{\s{0,20}(?:the|if|for each|end if|end for)\s[^{}]{0,200}\}\}?/gi,
    message: 'Double braces are treated as text: use single braces.',
  },
  {
    pattern: /(?<!\{)\{\s{0,20}(?:user|contact)(?:['’`´]|&rsquo;|&#39;|&apos;)s\s[^{}]{0,200}\}/gi,
    message: "This is treated as text: an expression starts with “the”, such as {the user's First Name}.",
  },
  {
    pattern:
      /(?<!\{)\{\s{0,20}(?:elseif|elsif|elif|endif|endfor|end\s?foreach|foreach|for\s+\w{1,50}\s+in)\b[^{}]{0,200}\}/gi,
    message: 'This is treated as text: write {else if …}, {end if}, {for each … in …} or {end for}.',
  },
];

/** A modifier that was parsed as part of a name. */
const modifierWithoutComma =
  /\s((?:or|otherwise|as)(?=\s)|(?:uppercase|lowercase|titlecase|capitalized|trimmed|rounded)(?=$|\s))/i;

/** What precedes a quoted name. */
const openingQuote = /(?:["“”„'‘’]|&(?:quot|#34|#39|apos|[lr][ds]quo|bdquo);)$/i;

/** The word that seems to lack a preceding comma in a value written as `block`. */
export function wordWithoutComma(piped: PipedValue, block: string): string | undefined {
  for (const name of namesIn(piped)) {
    const word = modifierWithoutComma.exec(name)?.[1];
    if (word !== undefined && !isQuoted(name, block)) return word;
  }
  return undefined;
}

/** Whether a quoted text of the expression `block` contained a tag. */
export function losesTags(block: string): boolean {
  if (!block.includes('<')) return false;
  const tokenizer = new Tokenizer(block);
  tokenizer.readBlock(0);
  return tokenizer.tagsInQuotes > 0;
}

/** Every name in a value and its fallbacks: parts of paths, and names of events. */
function namesIn({ value, modifiers }: PipedValue): string[] {
  const fallbacks = modifiers.flatMap((modifier) => (modifier.kind === 'or' ? [modifier.fallback] : []));
  return [...operandsOf(value), ...fallbacks].flatMap((operand: Operand) =>
    operand.kind === 'reference' ? [...operand.path, operand.event ?? ''] : [],
  );
}

function isQuoted(name: string, block: string): boolean {
  const index = block.indexOf(name);
  return index > 0 && openingQuote.test(block.slice(Math.max(0, index - 8), index));
}
