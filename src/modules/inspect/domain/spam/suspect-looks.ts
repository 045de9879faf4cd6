/** Rules about text that is hidden, loud, or little in proportion to its markup (codes SP044 to SP049). */
import { contrastOf, hexOf, upon, type Colour } from '../email/colour.js';
import { quote, type RuleFinding } from '../findings/finding.js';
import type { Look } from '../email/looks.js';
import type { EmailText, ParsedEmail } from '../email/parsed-email.js';
import type { RuleName } from '../rules/catalogue.js';
import { firstOf, type SpamFacts } from './spam-facts.js';

/** Below this contrast, text is invisible. */
const UNSEEN = 1.1;
/** In CSS pixels: text up to the first size is invisible; text from the second size has the size of a poster. */
const SMALLEST = 2;
const HUGE = 60;
/** From this size, in CSS pixels, a bright color is loud. */
const LARGE = 22;
/**
 * Maximum number of characters of hidden text that a preheader needs, and the minimum number for a text that hides
 * something.
 */
const LONGEST_PREHEADER = 400;
const FEWEST_HIDDEN = 15;
const FEWEST_SCREAMED = 5;
/** From LONG_MARKUP characters of HTML, its share of text is judged; filters expect at least LEAST_TEXT. */
const LONG_MARKUP = 20_000;
const LEAST_TEXT = 0.01;

export function suspectLookFindings(facts: SpamFacts): RuleFinding[] {
  const { email, looks } = facts;
  if (!email) return [];
  const hidden = looks ? [...firstOf(judged(email, looks)), ...longHidden(email, looks)] : [];
  return [...hidden, ...heavy(facts, email)];
}

function* judged(email: ParsedEmail, looks: ReadonlyMap<unknown, Look>): Generator<RuleFinding> {
  let isBegun = false;
  for (const text of email.texts) {
    const look = looks.get(text.parent);
    const length = shownLength(text.text);
    if (!look || length === 0) continue;
    const isTiny = look.size !== null && look.size <= SMALLEST;
    if (isTiny && isBegun && length >= FEWEST_HIDDEN)
      yield findingOf('hidden_text_size', text, `has a size of ${Number(look.size?.toFixed(1))} pixels`);
    if (look.hidden || isTiny) continue;
    isBegun = true;
    const said = saidOf(look, text.text, length);
    if (said) yield findingOf(said[0], text, said[1]);
  }
}

function saidOf(look: Look, text: string, length: number): readonly [RuleName, string] | null {
  const { colour, ground, size, bold } = look;
  const seen = colour && ground ? upon(colour, ground) : colour;
  if (seen && ground && length >= 3 && contrastOf(seen, ground) < UNSEEN)
    return ['hidden_text_colour', `has the color of its background, ${hexOf(seen)}`];
  if (size !== null && size >= HUGE && length >= FEWEST_HIDDEN)
    return ['text_huge', `has a size of ${Math.round(size)} pixels`];
  const isLoud = bold || (size ?? 0) >= LARGE || !/\p{Ll}/u.test(text);
  return seen && isLoud && length >= FEWEST_SCREAMED && screams(seen)
    ? ['text_screaming', `is glaring in ${hexOf(seen)}`]
    : null;
}

function screams({ red, green, blue }: Colour): boolean {
  return blue <= 40 && ((red >= 225 && green <= 40) || (green >= 225 && red <= 40));
}

function findingOf(rule: RuleName, { text, offset }: EmailText, what: string): RuleFinding {
  const lead = /^\s*/.exec(text)?.[0].length ?? 0;
  const words = text.trim().slice(0, 200);
  return { rule, message: `The text ${quote(words)} ${what}.`, at: offset + lead, target: words };
}

/** The number of characters, without white space and the fillers of preheaders. */
function shownLength(text: string): number {
  return text.replace(/[\s\u00ad\u034f\u061c\u115f\u180e\u200b-\u200f\u2007\u2060\ufeff]+/g, '').length;
}

function longHidden(email: ParsedEmail, looks: ReadonlyMap<unknown, Look>): RuleFinding[] {
  let length = 0;
  for (const { text, parent, offset } of email.texts) {
    if (!looks.get(parent)?.hidden) continue;
    length += shownLength(text);
    if (length <= LONGEST_PREHEADER) continue;
    const message = `More than ${LONGEST_PREHEADER} characters of the text are hidden.`;
    return [{ rule: 'hidden_text_long', message, at: offset, target: 'hidden text' }];
  }
  return [];
}

function heavy({ read }: SpamFacts, { source }: ParsedEmail): RuleFinding[] {
  const length = shownLength(read.text);
  if (source.length < LONG_MARKUP || length === 0 || length / source.length >= LEAST_TEXT) return [];
  const share = (Math.floor((length / source.length) * 1_000) / 10).toFixed(1);
  return [{ rule: 'markup_heavy', message: `Only ${share} % of the HTML is text.`, at: null }];
}
