/** Checks widths, backgrounds and colors of elements as Outlook and phones handle them (section 4.7, css). */
import { holdsExpression } from '../email/blanked-source.js';
import { readAttributeColour } from '../email/colour.js';
import { quote, type RuleFinding } from '../findings/finding.js';
import { textIn, type EmailElement, type ParsedEmail } from '../email/parsed-email.js';
import { atElement, styleOf } from './element-findings.js';

/** The width of a reading pane, in pixels. */
export const MAX_WIDTH_PX = 700;
const BOXES = new Set(['table', 'td', 'th', 'div', 'tr']);
const COLOUR_ATTRIBUTES = ['bgcolor', 'color', 'text', 'link', 'alink', 'vlink'];
/** Maximum number of elements with a background image that are checked. */
const MAX_BACKGROUNDS = 200;

export function checkBoxes(email: ParsedEmail): RuleFinding[] {
  return [...checkWidths(email), ...checkBackgrounds(email), ...email.elements.flatMap(checkColours)];
}

/** Reports only the outermost element: its content is wide for the same reason. */
function checkWidths(email: ParsedEmail): RuleFinding[] {
  const wide = new Set<EmailElement>();
  const findings: RuleFinding[] = [];
  for (const element of email.elements) {
    if (element.parent && wide.has(element.parent)) wide.add(element);
    if (!BOXES.has(element.name) || wide.has(element)) continue;
    const width = fixedWidth(email, element);
    if (width <= MAX_WIDTH_PX) continue;
    wide.add(element);
    findings.push(atElement('width_too_wide', element, `<${element.name}> is ${width} pixels wide.`));
  }
  return findings;
}

/** In pixels; 0 if the width is not fixed. */
function fixedWidth(email: ParsedEmail, element: EmailElement): number {
  const styled = styleOf(email, element, 'width');
  const stated = styled ?? element.attributes.get('width') ?? '';
  return Number(/^\s*(\d{1,5})(?:px)?\s*$/.exec(stated)?.[1] ?? 0);
}

function checkBackgrounds(email: ParsedEmail): RuleFinding[] {
  const withBackgroundImage = email.elements.filter(
    (element) =>
      element.attributes.has('background') ||
      ['background', 'background-image'].some((name) => styleOf(email, element, name)?.includes('url(')),
  );
  return withBackgroundImage
    .slice(0, MAX_BACKGROUNDS)
    .filter((element) => !hasColour(email, element) && textIn(element).trim() !== '')
    .map((element) => {
      const message = `<${element.name}> has a background image but no background color.`;
      return atElement('background_colour_missing', element, message);
    });
}

function hasColour(email: ParsedEmail, element: EmailElement): boolean {
  if (element.attributes.has('bgcolor') || styleOf(email, element, 'background-color') !== undefined)
    return true;
  const rest = (styleOf(email, element, 'background') ?? '').slice(0, 4_000).replace(/url\([^()]*\)/g, ' ');
  return (
    holdsExpression(rest) ||
    /rgb|hsl/.test(rest) ||
    rest.split(/\s+/).some((word) => readAttributeColour(word) !== null)
  );
}

function checkColours(element: EmailElement): RuleFinding[] {
  const findings: RuleFinding[] = [];
  for (const attribute of COLOUR_ATTRIBUTES) {
    const value = element.attributes.get(attribute)?.trim();
    if (value === undefined || value === '' || holdsExpression(value)) continue;
    // `text` and `link` are colors only on the body.
    if (attribute !== 'bgcolor' && element.name !== (attribute === 'color' ? 'font' : 'body')) continue;
    if (/^#?[\da-f]{3}$/i.test(value)) {
      findings.push(atElement('colour_short', element, `${attribute} has three digits: ${quote(value)}.`));
    } else if (readAttributeColour(value) === null) {
      findings.push(atElement('colour_invalid', element, `${attribute} is not a color: ${quote(value)}.`));
    }
  }
  return findings;
}
