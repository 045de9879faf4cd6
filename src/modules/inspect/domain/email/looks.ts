/**
 * Computes how text looks: its color, background, size and weight, from attributes, style attributes and simple rules,
 * with inheritance. What depends on anything else is unknown.
 */
import { BLACK, readAttributeColour, readColour, upon, WHITE, type Colour } from './colour.js';
import { hiddenElements } from './hidden-elements.js';
import type { EmailElement, ParsedEmail } from './parsed-email.js';
import { StyleRules, type Won } from './style-rules.js';

/** Null means unknown. Sizes in CSS pixels. */
export interface Look {
  readonly colour: Colour | null;
  readonly ground: Colour | null;
  readonly size: number | null;
  readonly bold: boolean;
  readonly hidden: boolean;
}

const WANTED = new Set(
  'color background background-color background-image font font-size font-weight opacity display visibility'.split(
    ' ',
  ),
);
const START: Look = { colour: BLACK, ground: WHITE, size: 16, bold: false, hidden: false };
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
export function looksOf(email: ParsedEmail): ReadonlyMap<EmailElement, Look> | null {
  const rules = new StyleRules(email.rules, WANTED);
  const hidden = hiddenElements(email);
  const looks = new Map<EmailElement, Look>();
  for (const element of email.elements) {
    const around = (element.parent && looks.get(element.parent)) ?? START;
    const won = rules.declarationsFor(element, email.inline.get(element) ?? []);
    looks.set(element, lookOf(element, around, won, hidden.has(element)));
  }
  return rules.complete ? looks : null;
}

function lookOf(element: EmailElement, around: Look, won: ReadonlyMap<string, Won>, hidden: boolean): Look {
  const faded = won.get('opacity') !== undefined && textOf(won.get('opacity')) !== '1';
  const shown = textOf(won.get('display')) !== 'none' && textOf(won.get('visibility')) !== 'hidden';
  return {
    colour: faded ? null : colourOf(element, around, won.get('color')),
    ground: faded ? null : groundOf(element, around, won),
    size: sizeOf(element, around, won),
    bold: boldOf(element, around, won),
    hidden: hidden || around.hidden || !shown,
  };
}

function textOf(won: Won | undefined): string {
  return won === undefined || won === 'unknown' ? '' : won.text.toLowerCase();
}

function colourOf(element: EmailElement, around: Look, won: Won | undefined): Colour | null {
  if (won === 'unknown') return null;
  if (won !== undefined) {
    return won.text.toLowerCase() === 'inherit' ? around.colour : readColour(won.text);
  }
  const attribute = COLOUR_ATTRIBUTES.get(element.name);
  const stated = attribute === undefined ? undefined : element.attributes.get(attribute);
  if (stated !== undefined) return readAttributeColour(stated);
  return element.name === 'a' && element.attributes.has('href') ? LINK : around.colour;
}

function groundOf(element: EmailElement, around: Look, won: ReadonlyMap<string, Won>): Colour | null {
  const shorthand = won.get('background');
  const image = won.get('background-image');
  if (element.attributes.has('background')) return null;
  if (image !== undefined && textOf(image) !== 'none') return null;
  // The order of the two declarations is not recorded, so if both exist, they must agree.
  const long = won.get('background-color');
  const stated = [shorthand, long].filter((each) => each !== undefined);
  if (stated.length === 0) {
    const attribute = element.attributes.get('bgcolor');
    return attribute === undefined ? around.ground : laidUpon(readAttributeColour(attribute), around.ground);
  }
  const grounds = stated.map((each) => (each === 'unknown' ? null : readGround(each.text)));
  const [first = null, second = first] = grounds;
  if (first === null || second === null || JSON.stringify(first) !== JSON.stringify(second)) return null;
  return laidUpon(first, around.ground);
}

/** The color of a background; null if it may be an image or a gradient. */
function readGround(text: string): Colour | null {
  if (/^(none|initial|unset)$/i.test(text)) return { ...BLACK, alpha: 0 };
  return readColour(text);
}

function laidUpon(colour: Colour | null, ground: Colour | null): Colour | null {
  if (colour === null) return null;
  if (colour.alpha === 1) return colour;
  return ground && upon(colour, ground);
}

function sizeOf(element: EmailElement, around: Look, won: ReadonlyMap<string, Won>): number | null {
  const stated = won.get('font-size') ?? won.get('font');
  if (stated === 'unknown') return null;
  if (stated === undefined) {
    const factor = HEADING_SIZE.get(element.name);
    if (factor !== undefined) return around.size && around.size * factor;
    if (element.name === 'font' && element.attributes.has('size')) return null;
    return element.name === 'small' ? around.size && around.size / 1.2 : around.size;
  }
  // In a `font` declaration, the size precedes the families.
  const pattern = /(?:^|\s)(\d+(?:\.\d*)?|\.\d+)(px|pt|pc|in|cm|mm|em|rem|%)/;
  const text = stated.text.toLowerCase();
  const named = NAMED_SIZES.get(text);
  if (named !== undefined) return named;
  const match = pattern.exec(text);
  if (!match) return text === 'inherit' ? around.size : Number(text) === 0 ? 0 : null;
  const amount = Number(match[1]);
  const unit = match[2] ?? 'px';
  if (unit === 'em') return around.size && around.size * amount;
  if (unit === '%') return around.size && (around.size * amount) / 100;
  return amount * (unit === 'rem' ? 16 : (UNITS.get(unit) ?? 1));
}

function boldOf(element: EmailElement, around: Look, won: ReadonlyMap<string, Won>): boolean {
  const text = textOf(won.get('font-weight') ?? won.get('font'));
  if (text === '') return around.bold || BOLD.has(element.name);
  return /\b(bold|bolder|[7-9]00)\b/.test(text);
}
