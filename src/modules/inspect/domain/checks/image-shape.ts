/** Checks the sizes of images and the space they take, as Outlook and phones show them (section 4.7, images). */
import { holdsExpression } from '../email/blanked-source.js';
import { quote, type RuleFinding } from '../findings/finding.js';
import { isElement, type EmailElement, type ParsedEmail } from '../email/parsed-email.js';
import { StyleRules, type WinningDeclaration } from '../email/style-rules.js';
import { MAX_WIDTH_PX } from './boxes.js';
import { atElement, isInside } from './element-findings.js';

const LAYOUT_PROPERTIES = new Set(['display', 'width', 'max-width', 'height', 'float']);
/** Up to this number of pixels, an image is a spacer or an icon and not content. */
const MAX_SPACER_PX = 20;
/** From this number of pixels, an image is one of the main ones. */
const MIN_MAIN_IMAGE_PX = 100;
const LINK = new Set(['a', 'map']);

export function checkImageShapes(email: ParsedEmail): RuleFinding[] {
  const images = email.elements.filter(
    ({ name, attributes }) => name === 'img' && ![...attributes.keys()].some(holdsExpression),
  );
  const rules = new StyleRules(email.rules, LAYOUT_PROPERTIES);
  const findings: RuleFinding[] = [];
  for (const image of images) {
    const winning = rules.declarationsFor(image, email.inline.get(image) ?? []);
    if (!rules.isComplete) break;
    findings.push(...checkSize(image), ...checkStyle(image, winning));
  }
  return [...findings, ...checkLinked(images)];
}

function checkSize(image: EmailElement): RuleFinding[] {
  const findings: RuleFinding[] = [];
  for (const side of ['width', 'height']) {
    const value = image.attributes.get(side);
    if (value === undefined || holdsExpression(value)) continue;
    if (!/^\s*\d+(?:\.\d+)?%?\s*$/.test(value)) {
      findings.push(atElement('image_size_invalid', image, `${side} is not a number: ${quote(value)}.`));
    }
  }
  const width = numberOf(image, 'width');
  if (width !== null && width > MAX_WIDTH_PX) {
    findings.push(atElement('image_too_wide', image, `An image is ${width} pixels wide.`));
  }
  return findings;
}

function checkStyle(image: EmailElement, winning: ReadonlyMap<string, WinningDeclaration>): RuleFinding[] {
  const text = (property: string): string | undefined => {
    const declaration = winning.get(property);
    return declaration === undefined || declaration === 'unknown'
      ? undefined
      : declaration.text.toLowerCase();
  };
  const findings: RuleFinding[] = [];
  if (!image.attributes.has('width') && text('width') !== undefined && text('width') !== 'auto') {
    const message = `The width of an image is only set in its style: ${quote(text('width') ?? '')}.`;
    findings.push(atElement('image_width_by_style', image, message));
  }
  const isFlexible = text('width')?.endsWith('%') === true || text('max-width')?.endsWith('%') === true;
  const height = numberOf(image, 'height') ?? 0;
  if (isFlexible && height > MAX_SPACER_PX && !winning.has('height')) {
    findings.push(
      atElement(
        'image_distorted',
        image,
        `The width is flexible, but the height is fixed at ${height} pixels.`,
      ),
    );
  }
  const sized = Math.max(
    numberOf(image, 'width') ?? MIN_MAIN_IMAGE_PX,
    numberOf(image, 'height') ?? MIN_MAIN_IMAGE_PX,
  );
  if (!winning.has('display') && !winning.has('float') && sized > MAX_SPACER_PX && isOnlyContent(image)) {
    findings.push(atElement('image_gap', image, 'An image that is alone in a cell is not display:block.'));
  }
  return findings;
}

/** Whether an image, or the link around it, is the only content of a table cell. */
function isOnlyContent(image: EmailElement): boolean {
  let inner = image;
  for (let around = image.parent; around; around = around.parent) {
    const others = around.children.some((child) => {
      return isElement(child) ? child !== inner && child.name !== 'br' : child.text.trim() !== '';
    });
    if (others) return false;
    if (around.name === 'td' || around.name === 'th') return true;
    if (around.name !== 'a') return false;
    inner = around;
  }
  return false;
}

function checkLinked(images: readonly EmailElement[]): RuleFinding[] {
  const main = images.filter((image) => (numberOf(image, 'width') ?? MIN_MAIN_IMAGE_PX) >= MIN_MAIN_IMAGE_PX);
  const [first, second] = main;
  if (!first || !second) return [];
  if (images.some((image) => image.attributes.has('usemap') || isInside(image, LINK))) return [];
  return [
    {
      rule: 'images_unlinked',
      message: `None of ${main.length} images is a link.`,
      at: first.offset,
      until: first.end,
    },
  ];
}

function numberOf({ attributes }: EmailElement, side: string): number | null {
  const digits = /^\s*(\d{1,5})(?:px)?\s*$/.exec(attributes.get(side) ?? '')?.[1];
  return digits === undefined ? null : Number(digits);
}
