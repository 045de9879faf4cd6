/** Checks the alt text, which replaces images that are not seen (section 4.7, images and accessibility). */
import { holdsExpression } from '../email/blanked-source.js';
import { quote, type RuleFinding } from '../findings/finding.js';
import { isElement, textIn, subtreeOf, type EmailElement, type ParsedEmail } from '../email/parsed-email.js';
import { atElement } from './element-findings.js';

/** Maximum number of characters that screen readers read without a break. */
const MAX_ALT_LENGTH = 200;
const FILE_NAME = /^[\w%() .-]{1,200}\.(?:png|jpe?g|gif|webp|svg|bmp|tiff?|avif)$/i;
const VAGUE_ALT_TEXTS = new Set(
  'image|img|picture|pic|photo|photograph|graphic|banner|hero|untitled|placeholder|alt|alt text|bild|foto|image1|spacer'.split(
    '|',
  ),
);

export function checkAltTexts({ elements }: ParsedEmail): RuleFinding[] {
  return elements.flatMap((element): RuleFinding[] => {
    if (element.name === 'a' && element.attributes.has('href')) return checkLinkedImage(element);
    const alt = element.name === 'img' ? element.attributes.get('alt')?.trim() : undefined;
    if (alt === undefined || holdsExpression(alt)) return [];
    if (alt.length > MAX_ALT_LENGTH)
      return [atElement('alt_long', element, `An alt text has ${alt.length} characters.`)];
    if (FILE_NAME.test(alt))
      return [atElement('alt_file_name', element, `The alt text ${quote(alt)} is a file name.`)];
    if (VAGUE_ALT_TEXTS.has(alt.toLowerCase())) {
      return [atElement('alt_vague', element, `The alt text ${quote(alt)} does not describe the image.`)];
    }
    return [];
  });
}

function checkLinkedImage(link: EmailElement): RuleFinding[] {
  const text = normalized(textIn(link));
  if (text === '' || holdsExpression(text)) return [];
  for (const node of subtreeOf(link)) {
    if (!isElement(node) || node.name !== 'img') continue;
    if (normalized(node.attributes.get('alt') ?? '') !== text) continue;
    return [atElement('alt_repeats_text', node, `The alt text repeats the link text: ${quote(text)}.`)];
  }
  return [];
}

function normalized(text: string): string {
  return text.slice(0, 2_000).replace(/\s+/g, ' ').trim().toLowerCase();
}
