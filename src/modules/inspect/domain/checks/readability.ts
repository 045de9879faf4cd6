/**
 * Checks what makes a message hard to read, by eye or screen reader: headings, languages, motion, lines (section 4.7,
 * accessibility).
 */
import { holdsExpression } from '../email/blanked-source.js';
import { quote, type RuleFinding } from '../findings/finding.js';
import { hiddenElements } from '../email/hidden-elements.js';
import { isElement, textIn, subtreeOf, type EmailElement, type ParsedEmail } from '../email/parsed-email.js';
import { atDeclaration, atElement, declarationsOf, isInside, styleOf } from './element-findings.js';

/** From this number of letters, text in capitals is not a heading or button. */
const MIN_CAPITALS = 40;
/** The share of right-to-left letters from which a message counts as right-to-left. */
const MIN_RIGHT_TO_LEFT_SHARE = 0.3;
const MIN_LINE_HEIGHT = 1.2;
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/gu;
const LINK = new Set(['a']);

export function checkReadability(email: ParsedEmail): RuleFinding[] {
  return [
    ...checkHeadings(email.elements),
    ...email.elements.flatMap((element) => checkElement(email, element)),
    ...checkStyles(email),
    ...checkDirection(email),
    ...checkCapitals(email),
  ];
}

function checkHeadings(elements: readonly EmailElement[]): RuleFinding[] {
  const findings: RuleFinding[] = [];
  const headings = elements.filter(({ name }) => /^h[1-6]$/.test(name));
  const nonEmpty = headings.filter((heading) => !isEmpty(heading));
  for (const heading of headings) {
    if (isEmpty(heading)) findings.push(atElement('heading_empty', heading, `<${heading.name}> is empty.`));
  }
  const [first] = nonEmpty;
  const tops = nonEmpty.filter(({ name }) => name === 'h1');
  for (const top of tops.slice(1)) {
    findings.push(atElement('headings_first_many', top, 'There is already an <h1>.'));
  }
  if (first && tops.length === 0) {
    findings.push(atElement('heading_first_missing', first, `There is <${first.name}>, but no <h1>.`));
  }
  return findings;
}

function isEmpty(heading: EmailElement): boolean {
  for (const node of subtreeOf(heading)) {
    if (!isElement(node) ? node.text.trim() !== '' : (node.attributes.get('alt') ?? '').trim() !== '')
      return false;
  }
  return true;
}

function checkElement(email: ParsedEmail, element: EmailElement): RuleFinding[] {
  const { name, attributes } = element;
  const findings: RuleFinding[] = [];
  const lang = attributes.get('lang')?.trim() ?? '';
  if (lang !== '' && !holdsExpression(lang) && !isLanguage(lang)) {
    findings.push(atElement('lang_invalid', element, `lang is not a language: ${quote(lang)}.`));
  }
  if (/^\s*\+?0*[1-9]\d*\s*$/.test(attributes.get('tabindex') ?? '')) {
    findings.push(atElement('tabindex_positive', element, 'An element forces its tab order.'));
  }
  if ((name === 'video' || name === 'audio') && attributes.has('autoplay')) {
    findings.push(atElement('media_autoplay', element, `A <${name}> plays automatically.`));
  }
  if (name === 'meta' && attributes.get('name')?.toLowerCase() === 'viewport') {
    const content = attributes.get('content')?.slice(0, 500) ?? '';
    if (/user-scalable\s*=\s*(?:no|0)\b|maximum-scale\s*=\s*(?:0|1(?:\.0*)?)(?![\d.])/i.test(content)) {
      findings.push(atElement('zoom_forbidden', element, 'The viewport disables zooming.'));
    }
  }
  if (attributes.get('align')?.trim().toLowerCase() === 'justify') {
    findings.push(atElement('text_justified', element, 'Text is justified.'));
  }
  if (isUnderlined(email, element))
    findings.push(atElement('text_underlined', element, 'Text is underlined.'));
  return findings;
}

function isLanguage(text: string): boolean {
  if (!/^[a-z]{2,3}(?:-|$)/i.test(text) || text.length > 100) return false;
  try {
    return Intl.getCanonicalLocales(text).length > 0;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

function isUnderlined(email: ParsedEmail, element: EmailElement): boolean {
  if (!['u', 'span', 'b', 'strong', 'em', 'i', 'p', 'font'].includes(element.name)) return false;
  const styled = styleOf(email, element, 'text-decoration')?.split(/\s+/) ?? [];
  if (!(element.name === 'u' ? !styled.includes('none') : styled.includes('underline'))) return false;
  if (isInside(element, LINK) || textIn(element).trim() === '') return false;
  return !element.children.some((child) => isElement(child) && child.name === 'a');
}

function checkStyles(email: ParsedEmail): RuleFinding[] {
  const findings: RuleFinding[] = [];
  const respectsReducedMotion = email.atRules.some(({ prelude }) => /prefers-reduced-motion/i.test(prelude));
  for (const declared of declarationsOf(email)) {
    const { property, text } = declared.declaration;
    const value = text.slice(0, 500).toLowerCase();
    if (property === 'text-align' && value === 'justify') {
      findings.push(atDeclaration('text_justified', declared, 'Text is justified.'));
    }
    if (
      /^animation(?:-iteration-count)?$/.test(property) &&
      /\binfinite\b/.test(value) &&
      !respectsReducedMotion
    ) {
      findings.push(atDeclaration('motion_endless', declared, 'An animation never ends.'));
    }
    const name = declared.element?.name;
    if (property === 'line-height' && (name === 'p' || name === 'li') && isTight(value)) {
      findings.push(atDeclaration('line_height_small', declared, `The line height is ${value}.`));
    }
  }
  return findings;
}

/** Judges only line heights relative to the text size; a value near zero is meant to hide. */
function isTight(value: string): boolean {
  const match = /^(\d+|\d*\.\d+)(%|em)?$/.exec(value);
  const height = Number(match?.[1] ?? 0) / (match?.[2] === '%' ? 100 : 1);
  return height > 0.5 && height < MIN_LINE_HEIGHT;
}

function checkDirection(email: ParsedEmail): RuleFinding[] {
  let letters = 0;
  let reversed = 0;
  for (const { text } of email.texts) {
    letters += text.match(/\p{L}/gu)?.length ?? 0;
    reversed += text.match(RIGHT_TO_LEFT)?.length ?? 0;
  }
  if (reversed === 0 || reversed < letters * MIN_RIGHT_TO_LEFT_SHARE) return [];
  const isDeclared = email.elements.some((element) => {
    return element.attributes.has('dir') || styleOf(email, element, 'direction') !== undefined;
  });
  if (
    isDeclared ||
    email.rules.some(({ declarations }) => declarations.some(({ property }) => property === 'direction'))
  )
    return [];
  return [
    {
      rule: 'direction_missing',
      message: 'The text is right-to-left, but its direction is not declared.',
      at: null,
    },
  ];
}

function checkCapitals(email: ParsedEmail): RuleFinding[] {
  const hidden = hiddenElements(email);
  return email.texts.flatMap(({ text, offset, parent }): RuleFinding[] => {
    if (/\p{Ll}/u.test(text) || hidden.has(parent)) return [];
    const letters = text.match(/\p{Lu}/gu)?.length ?? 0;
    if (letters < MIN_CAPITALS) return [];
    const message = `${letters} letters of text are in capitals: ${quote(text)}.`;
    return [{ rule: 'text_capitals', message, at: offset, until: offset + text.length }];
  });
}
