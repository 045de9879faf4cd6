/**
 * What an author surely did not mean and the language takes all the same (specification section 4.3: validate).
 *
 * Dark corners:
 * - `{{the …}}`, `{user's …}`, `{endif}` and their like are text for the language.
 * - Without its comma a modifier is read as a part of the name before it: `the user's Nickname or the user's Name` is
 *   the field `Name` of `Nickname or the user`. Conditions know `or`, so nothing is asked there.
 * - Editors put tags everywhere, so those in quotes are left out; the author may have meant them.
 */
import { operandsOf } from './template-walk.js';
import { Tokenizer } from './tokenizer.js';
import type { Operand, PipedValue } from './tree.js';

/** Braces that are text for the language, and that nobody means as text. */
export const SLIPS: readonly { readonly pattern: RegExp; readonly message: string }[] = [
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

/** A modifier that has become part of a name. */
const commaLess =
  /\s((?:or|otherwise|as)(?=\s)|(?:uppercase|lowercase|titlecase|capitalized|trimmed|rounded)(?=$|\s))/i;

/** What stands before a name that is written in quotes. */
const openingQuote = /(?:["“”„'‘’]|&(?:quot|#34|#39|apos|[lr][ds]quo|bdquo);)$/i;

/** The word before which a comma seems to be missing in a value that is written as `block`. */
export function wordWithoutComma(piped: PipedValue, block: string): string | undefined {
  for (const name of namesIn(piped)) {
    const word = commaLess.exec(name)?.[1];
    if (word !== undefined && !isQuoted(name, block)) return word;
  }
  return undefined;
}

/** Whether a quoted text of the expression `block` held a tag. */
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
