/** Checks the texts of links, and links in relation to each other (section 4.7, links and accessibility). */
import { holdsExpression } from '../email/blanked-source.js';
import { quote, type RuleFinding } from '../findings/finding.js';
import { hiddenElements } from '../email/hidden-elements.js';
import { hasUnsubscribeLink } from './message-text.js';
import { isElement, textIn, subtreeOf, type EmailElement, type ParsedEmail } from '../email/parsed-email.js';
import { atElement, isInside, styleOf } from './element-findings.js';

/** Beyond this number of links, readers lose their way; a long newsletter has some 50. */
const MAX_LINKS = 100;
/** From this number of characters, an address is no link text. */
const MIN_ADDRESS_TEXT_LENGTH = 40;
const LINK = new Set(['a']);
const UNSUBSCRIBE_TEXT =
  /\bunsubscribe\b|abbestellen|se désabonner|désinscri|darse de baja|disiscriv|uitschrijven/i;

export function checkLinkTexts(email: ParsedEmail): RuleFinding[] {
  const links = email.elements.filter(({ name, attributes }) => name === 'a' && attributes.has('href'));
  const padded = email.rules.some(setsPaddingOfLinks);
  const findings = links.flatMap((link) => [...checkLink(link), ...(padded ? [] : checkButton(email, link))]);
  if (links.length > MAX_LINKS) {
    findings.push({ rule: 'links_many', message: `There are ${links.length} links.`, at: null });
  }
  return [
    ...findings,
    ...checkRepeatedTexts(links),
    ...email.elements.flatMap(checkAdjacentLinks),
    ...checkUnsubscribeText(email),
  ];
}

function checkLink(link: EmailElement): RuleFinding[] {
  const text = linkTextOf(link);
  const findings: RuleFinding[] = [];
  if (link.attributes.get('aria-hidden') === 'true') {
    findings.push(atElement('link_hidden_from_readers', link, 'A link is hidden from screen readers.'));
  }
  if (text === '') {
    if (isNamedByTitle(link))
      findings.push(atElement('name_by_title', link, 'A link is only named by its title.'));
    return findings;
  }
  if (text.length >= MIN_ADDRESS_TEXT_LENGTH && /^https?:\/\/\S+$/i.test(text)) {
    findings.push(atElement('link_text_address', link, `The link text is its address ${quote(text)}.`));
  }
  if (!/[\p{L}\p{N}]/u.test(text) && !holdsExpression(text) && !isNamed(link)) {
    findings.push(
      atElement('link_only_symbols', link, `The link text consists only of symbols: ${quote(text)}.`),
    );
  }
  return findings;
}

/**
 * Checks links that look like a button because of their background. Padding, borders or a size can give them enough
 * space.
 */
function checkButton(email: ParsedEmail, link: EmailElement): RuleFinding[] {
  const background = styleOf(email, link, 'background-color') ?? styleOf(email, link, 'background');
  if (background === undefined || /^(?:none|transparent|inherit|initial|unset)$/.test(background)) return [];
  const hasSpace = (email.inline.get(link) ?? []).some(({ property }) =>
    /^(?:padding|border(?!-radius|-collapse|-spacing)|height|min-height|width|line-height|mso-padding)/.test(
      property,
    ),
  );
  // A class may add what the style attribute lacks.
  if (hasSpace || link.attributes.has('class')) return [];
  return [atElement('button_padding_missing', link, 'A link styled as a button has no padding.')];
}

function setsPaddingOfLinks({ selectors, declarations }: ParsedEmail['rules'][number]): boolean {
  if (!declarations.some(({ property }) => property.startsWith('padding'))) return false;
  return selectors.some(({ children }) =>
    children.some((part) => part.type === 'TypeSelector' && part.name === 'a'),
  );
}

function isNamedByTitle(link: EmailElement): boolean {
  return (link.attributes.get('title') ?? '').trim() !== '' && !isNamed(link);
}

/** Whether a label or the alt of an image in it names a link. */
function isNamed(link: EmailElement): boolean {
  for (const node of subtreeOf(link)) {
    if (!isElement(node)) continue;
    if (node.name === 'svg') return true;
    const names = ['aria-label', 'aria-labelledby', ...(node.name === 'img' ? ['alt'] : [])];
    if (names.some((name) => (node.attributes.get(name) ?? '').trim() !== '')) return true;
  }
  return false;
}

function checkRepeatedTexts(links: readonly EmailElement[]): RuleFinding[] {
  const first = new Map<string, string>();
  const findings: RuleFinding[] = [];
  for (const link of links) {
    const text = linkTextOf(link).toLowerCase();
    const href = (link.attributes.get('href') ?? '').trim();
    if (text === '' || holdsExpression(text) || holdsExpression(href) || link.attributes.has('aria-label'))
      continue;
    const before = first.get(text);
    if (before === undefined) first.set(text, href);
    else if (before !== href) {
      const message = `The link text ${quote(text)} is the same as that of an earlier link to another address.`;
      findings.push(atElement('link_text_repeated', link, message));
    }
  }
  return findings;
}

/** Reports adjacent links with nothing between them. */
function checkAdjacentLinks({ children }: EmailElement): RuleFinding[] {
  const findings: RuleFinding[] = [];
  let before: string | undefined;
  for (const child of children) {
    if (!isElement(child)) {
      if (child.text.trim() !== '' || holdsExpression(child.text)) before = undefined;
      continue;
    }
    if (child.name === 'br') continue;
    const href = child.name === 'a' ? child.attributes.get('href')?.trim() : undefined;
    if (href !== undefined && href !== '' && href === before && !holdsExpression(href)) {
      findings.push(atElement('link_repeated_beside', child, `Two adjacent links lead to ${quote(href)}.`));
    }
    before = href;
  }
  return findings;
}

function checkUnsubscribeText(email: ParsedEmail): RuleFinding[] {
  if (hasUnsubscribeLink(email)) return [];
  const hidden = hiddenElements(email);
  for (const { text, offset, parent } of email.texts) {
    const match = UNSUBSCRIBE_TEXT.exec(text);
    if (!match || hidden.has(parent) || parent.name === 'a' || isInside(parent, LINK)) continue;
    const message = `The text says ${quote(match[0])}, but does not link to it.`;
    return [{ rule: 'unsubscribe_without_link', message, at: offset, until: offset + text.length }];
  }
  return [];
}

function linkTextOf(link: EmailElement): string {
  return textIn(link).slice(0, 2_000).replace(/\s+/g, ' ').trim();
}
