/**
 * Computes how text looks: its color, background, size and weight, from attributes, style attributes and simple rules,
 * with inheritance. What depends on anything else is unknown.
 */
import { BLACK, readAttributeColour, readColour, blend, WHITE, type Colour } from './colour.js';
import { hiddenElements } from './hidden-elements.js';
import type { EmailElement, ParsedEmail } from './parsed-email.js';
import { StyleRules, type WinningDeclaration } from './style-rules.js';

/** Null means unknown. Sizes in CSS pixels. */
export interface TextAppearance {
  readonly colour: Colour | null;
  readonly background: Colour | null;
  readonly size: number | null;
  readonly bold: boolean;
  readonly hidden: boolean;
}

const APPEARANCE_PROPERTIES = new Set(
  'color background background-color background-image font font-size font-weight opacity display visibility'.split(
    ' ',
  ),
);
const DEFAULT_APPEARANCE: TextAppearance = {
  colour: BLACK,
  background: WHITE,
  size: 16,
  bold: false,
  hidden: false,
};
/** The default color of links in browsers. */
const LINK: Colour = { red: 0, green: 0, blue: 238, alpha: 1 };
const BOLD = new Set(['b', 'strong', 'th', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6']);
const HEADING_SIZE: ReadonlyMap<string, number> = new Map(
  Object.entries({
    h1: 2,
    h2: 1.5,
    h3: 1.17,
    h4: 1,
    h5: 0.83,
    h6: 0.67,
  }),
);
const COLOUR_ATTRIBUTES: ReadonlyMap<string, string> = new Map([
  ['font', 'color'],
  ['body', 'text'],
]);
const NAMED_SIZES: ReadonlyMap<string, number> = new Map(
  Object.entries({
    'xx-small': 9,
    'x-small': 10,
    small: 13,
    medium: 16,
    large: 18,
    'x-large': 24,
    'xx-large': 32,
  }),
);
/** CSS pixels per unit. */
const UNITS: ReadonlyMap<string, number> = new Map(
  Object.entries({
    px: 1,
    pt: 4 / 3,
    pc: 16,
    in: 96,
    cm: 96 / 2.54,
    mm: 9.6 / 2.54,
  }),
);

/** The look of every element's own text; null if there are too many styles to evaluate. */
export function textAppearances(email: ParsedEmail): ReadonlyMap<EmailElement, TextAppearance> | null {
  const rules = new StyleRules(email.rules, APPEARANCE_PROPERTIES);
  const hidden = hiddenElements(email);
  const appearances = new Map<EmailElement, TextAppearance>();
  for (const element of email.elements) {
    const inherited = (element.parent && appearances.get(element.parent)) ?? DEFAULT_APPEARANCE;
    const winning = rules.declarationsFor(element, email.inline.get(element) ?? []);
    appearances.set(element, appearanceOf(element, inherited, winning, hidden.has(element)));
  }
  return rules.isComplete ? appearances : null;
}

function appearanceOf(
  element: EmailElement,
  inherited: TextAppearance,
  winning: ReadonlyMap<string, WinningDeclaration>,
  hidden: boolean,
): TextAppearance {
  const isFaded = winning.get('opacity') !== undefined && textOf(winning.get('opacity')) !== '1';
  const isShown = textOf(winning.get('display')) !== 'none' && textOf(winning.get('visibility')) !== 'hidden';
  return {
    colour: isFaded ? null : colourOf(element, inherited, winning.get('color')),
    background: isFaded ? null : backgroundOf(element, inherited, winning),
    size: sizeOf(element, inherited, winning),
    bold: boldOf(element, inherited, winning),
    hidden: hidden || inherited.hidden || !isShown,
  };
}

function textOf(winner: WinningDeclaration | undefined): string {
  return winner === undefined || winner === 'unknown' ? '' : winner.text.toLowerCase();
}

function colourOf(
  element: EmailElement,
  inherited: TextAppearance,
  winner: WinningDeclaration | undefined,
): Colour | null {
  if (winner === 'unknown') return null;
  if (winner !== undefined) {
    return winner.text.toLowerCase() === 'inherit' ? inherited.colour : readColour(winner.text);
  }
  const attribute = COLOUR_ATTRIBUTES.get(element.name);
  const stated = attribute === undefined ? undefined : element.attributes.get(attribute);
  if (stated !== undefined) return readAttributeColour(stated);
  return element.name === 'a' && element.attributes.has('href') ? LINK : inherited.colour;
}

function backgroundOf(
  element: EmailElement,
  inherited: TextAppearance,
  winning: ReadonlyMap<string, WinningDeclaration>,
): Colour | null {
  const shorthand = winning.get('background');
  const image = winning.get('background-image');
  if (element.attributes.has('background')) return null;
  if (image !== undefined && textOf(image) !== 'none') return null;
  // The order of the two declarations is not recorded, so if both exist, they must agree.
  const long = winning.get('background-color');
  const stated = [shorthand, long].filter((each) => each !== undefined);
  if (stated.length === 0) {
    const attribute = element.attributes.get('bgcolor');
    return attribute === undefined
      ? inherited.background
      : blendedOver(readAttributeColour(attribute), inherited.background);
  }
  const backgrounds = stated.map((each) => (each === 'unknown' ? null : readBackground(each.text)));
  const [first = null, second = first] = backgrounds;
  if (first === null || second === null || JSON.stringify(first) !== JSON.stringify(second)) return null;
  return blendedOver(first, inherited.background);
}

/** The color of a background; null if it may be an image or a gradient. */
function readBackground(text: string): Colour | null {
  if (/^(none|initial|unset)$/i.test(text)) return { ...BLACK, alpha: 0 };
  return readColour(text);
}

function blendedOver(colour: Colour | null, background: Colour | null): Colour | null {
  if (colour === null) return null;
  if (colour.alpha === 1) return colour;
  return background && blend(colour, background);
}

function sizeOf(
  element: EmailElement,
  inherited: TextAppearance,
  winning: ReadonlyMap<string, WinningDeclaration>,
): number | null {
  const stated = winning.get('font-size') ?? winning.get('font');
  if (stated === 'unknown') return null;
  if (stated === undefined) {
    const factor = HEADING_SIZE.get(element.name);
    if (factor !== undefined) return inherited.size && inherited.size * factor;
    if (element.name === 'font' && element.attributes.has('size')) return null;
    return element.name === 'small' ? inherited.size && inherited.size / 1.2 : inherited.size;
  }
  // In a `font` declaration, the size precedes the families.
  const pattern = /(?:^|\s)(\d+(?:\.\d*)?|\.\d+)(px|pt|pc|in|cm|mm|em|rem|%)/;
  const text = stated.text.toLowerCase();
  const named = NAMED_SIZES.get(text);
  if (named !== undefined) return named;
  const match = pattern.exec(text);
  if (!match) return text === 'inherit' ? inherited.size : Number(text) === 0 ? 0 : null;
  const amount = Number(match[1]);
  const unit = match[2] ?? 'px';
  if (unit === 'em') return inherited.size && inherited.size * amount;
  if (unit === '%') return inherited.size && (inherited.size * amount) / 100;
  return amount * (unit === 'rem' ? 16 : (UNITS.get(unit) ?? 1));
}

function boldOf(
  element: EmailElement,
  inherited: TextAppearance,
  winning: ReadonlyMap<string, WinningDeclaration>,
): boolean {
  const text = textOf(winning.get('font-weight') ?? winning.get('font'));
  if (text === '') return inherited.bold || BOLD.has(element.name);
  return /\b(bold|bolder|[7-9]00)\b/.test(text);
}
