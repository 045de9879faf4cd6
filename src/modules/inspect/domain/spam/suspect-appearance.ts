/** Rules about text that is hidden, loud, or little in proportion to its markup (codes SP044 to SP049). */
import { contrastOf, hexOf, blend, type Colour } from '../email/colour.js';
import { quote, type RuleFinding } from '../findings/finding.js';
import type { TextAppearance } from '../email/text-appearance.js';
import type { EmailText, ParsedEmail } from '../email/parsed-email.js';
import type { RuleName } from '../rules/catalogue.js';
import { firstOf, type SpamInput } from './spam-input.js';

/** Below this contrast, text is invisible. */
const MAX_INVISIBLE_CONTRAST = 1.1;
/** In CSS pixels: text up to the first size is invisible; text from the second size has the size of a poster. */
const MAX_INVISIBLE_PX = 2;
const MIN_HUGE_PX = 60;
/** From this size, in CSS pixels, a bright color is loud. */
const MIN_LOUD_PX = 22;
/**
 * Maximum number of characters of hidden text that a preheader needs, and the minimum number for a text that hides
 * something.
 */
const MAX_PREHEADER_LENGTH = 400;
const MIN_HIDDEN_LENGTH = 15;
const MIN_GLARING_LENGTH = 5;
/** From MIN_MARKUP_LENGTH characters of HTML, its share of text is judged; filters expect at least MIN_TEXT_SHARE. */
const MIN_MARKUP_LENGTH = 20_000;
const MIN_TEXT_SHARE = 0.01;

export function suspectAppearanceFindings(input: SpamInput): RuleFinding[] {
  const { email, appearances } = input;
  if (!email) return [];
  const hidden = appearances
    ? [...firstOf(appearanceFindings(email, appearances)), ...longHiddenText(email, appearances)]
    : [];
  return [...hidden, ...markupShareFindings(input, email)];
}

function* appearanceFindings(
  email: ParsedEmail,
  appearances: ReadonlyMap<unknown, TextAppearance>,
): Generator<RuleFinding> {
  let hasVisibleText = false;
  for (const text of email.texts) {
    const appearance = appearances.get(text.parent);
    const length = shownLength(text.text);
    if (!appearance || length === 0) continue;
    const isTiny = appearance.size !== null && appearance.size <= MAX_INVISIBLE_PX;
    if (isTiny && hasVisibleText && length >= MIN_HIDDEN_LENGTH)
      yield findingOf(
        'hidden_text_size',
        text,
        `has a size of ${Number(appearance.size?.toFixed(1))} pixels`,
      );
    if (appearance.hidden || isTiny) continue;
    hasVisibleText = true;
    const problem = appearanceProblem(appearance, text.text, length);
    if (problem) yield findingOf(problem[0], text, problem[1]);
  }
}

function appearanceProblem(
  appearance: TextAppearance,
  text: string,
  length: number,
): readonly [RuleName, string] | null {
  const { colour, background, size, bold } = appearance;
  const visible = colour && background ? blend(colour, background) : colour;
  if (visible && background && length >= 3 && contrastOf(visible, background) < MAX_INVISIBLE_CONTRAST)
    return ['hidden_text_colour', `has the color of its background, ${hexOf(visible)}`];
  if (size !== null && size >= MIN_HUGE_PX && length >= MIN_HIDDEN_LENGTH)
    return ['text_huge', `has a size of ${Math.round(size)} pixels`];
  const isLoud = bold || (size ?? 0) >= MIN_LOUD_PX || !/\p{Ll}/u.test(text);
  return visible && isLoud && length >= MIN_GLARING_LENGTH && isGlaring(visible)
    ? ['text_screaming', `is glaring in ${hexOf(visible)}`]
    : null;
}

function isGlaring({ red, green, blue }: Colour): boolean {
  return blue <= 40 && ((red >= 225 && green <= 40) || (green >= 225 && red <= 40));
}

function findingOf(rule: RuleName, { text, offset }: EmailText, what: string): RuleFinding {
  const lead = /^\s*/.exec(text)?.[0].length ?? 0;
  const excerpt = text.trim().slice(0, 200);
  return { rule, message: `The text ${quote(excerpt)} ${what}.`, at: offset + lead, target: excerpt };
}

/** The number of characters, without white space and the fillers of preheaders. */
function shownLength(text: string): number {
  return text.replace(/[\s\u00ad\u034f\u061c\u115f\u180e\u200b-\u200f\u2007\u2060\ufeff]+/g, '').length;
}

function longHiddenText(
  email: ParsedEmail,
  appearances: ReadonlyMap<unknown, TextAppearance>,
): RuleFinding[] {
  let length = 0;
  for (const { text, parent, offset } of email.texts) {
    if (!appearances.get(parent)?.hidden) continue;
    length += shownLength(text);
    if (length <= MAX_PREHEADER_LENGTH) continue;
    const message = `More than ${MAX_PREHEADER_LENGTH} characters of the text are hidden.`;
    return [{ rule: 'hidden_text_long', message, at: offset, target: 'hidden text' }];
  }
  return [];
}

function markupShareFindings({ htmlText }: SpamInput, { source }: ParsedEmail): RuleFinding[] {
  const length = shownLength(htmlText.text);
  if (source.length < MIN_MARKUP_LENGTH || length === 0 || length / source.length >= MIN_TEXT_SHARE)
    return [];
  const share = (Math.floor((length / source.length) * 1_000) / 10).toFixed(1);
  return [{ rule: 'markup_heavy', message: `Only ${share} % of the HTML is text.`, at: null }];
}
