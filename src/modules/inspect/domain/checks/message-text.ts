/**
 * Checks the text of a message (section 4.3, preflight: content): whether there is any besides the images, whether the
 * plain-text version has content, and whether the message has its own preheader and unsubscribe link.
 */
import { CONTROL_FLOW_MARK, VALUE_MARK } from '../email/blanked-source.js';
import { hiddenElements } from '../email/hidden-elements.js';
import type { RuleFinding } from '../findings/finding.js';
import {
  textIn,
  writtenAttribute,
  type EmailElement,
  type EmailText,
  type ParsedEmail,
} from '../email/parsed-email.js';

/** Below these numbers of visible characters, images carry all of the message, or most of it. */
const MIN_TEXT_LENGTH = 20;
const LITTLE_TEXT_LENGTH = 150;
/** The assumed length of a value, in characters. */
const ASSUMED_VALUE_LENGTH = 10;
const UNSUBSCRIBE =
  /unsubscrib|opt[- _]?out|email[- _]?preferences|manage[- _]?(your[- _]?)?(subscription|preferences)|abmelden|abbestell|d[ée]sabonn|d[ée]sinscri|cancelar (la )?suscripci|darse de baja|disiscriv|uitschrijv|afmelden/i;

/** @param bodyText the plain-text version. */
export function checkMessageText(email: ParsedEmail, bodyText: string): RuleFinding[] {
  const length = visibleLength(email);
  const images = email.elements.filter(({ name }) => name === 'img' || name === 'svg').length;
  const findings: RuleFinding[] = [];
  const report = (rule: RuleFinding['rule'], message: string): void => {
    findings.push({ rule, message, at: null });
  };
  if (length === 0 && images === 0) report('body_empty', 'The body shows no content.');
  else if (bodyText.trim() === '') report('plain_text_missing', 'The plain-text version is empty.');
  if (images > 0 && length < MIN_TEXT_LENGTH) {
    report('image_only', `The message consists of ${formatImageCount(images)} and hardly any text.`);
  } else if (images > 0 && length < LITTLE_TEXT_LENGTH) {
    report(
      'little_text',
      `The message has ${formatImageCount(images)} and about ${length} characters of text.`,
    );
  }
  if (length > 0 && !preheaderElement(email)) report('preheader_missing', 'The message has no preheader.');
  if (!hasUnsubscribeLink(email)) {
    report(
      'unsubscribe_missing',
      'There is no custom unsubscribe link. Promotional email gets the compliant footer and one-click header.',
    );
  }
  return findings;
}

function formatImageCount(images: number): string {
  return images === 1 ? 'one image' : `${images} images`;
}

function visibleLength(email: ParsedEmail): number {
  const hidden = hiddenElements(email);
  let length = 0;
  for (const { text, parent } of email.texts) {
    if (hidden.has(parent)) continue;
    const shown = text.replaceAll(CONTROL_FLOW_MARK, '');
    length += shown.replace(
      new RegExp(`[\\s\\u00ad\\u034f\\u200b-\\u200f\\u2060\\ufeff${VALUE_MARK}]+`, 'g'),
      '',
    ).length;
    length += (shown.match(new RegExp(`${VALUE_MARK}+`, 'g')) ?? []).length * ASSUMED_VALUE_LENGTH;
  }
  return length;
}

/** The element of a preheader: the one around a hidden text before the first visible text. */
function preheaderElement(email: ParsedEmail): EmailElement | null {
  const hidden = hiddenElements(email);
  const first = email.texts.find(({ text }: EmailText) => text.trim() !== '');
  let outermost: EmailElement | null = null;
  for (let element = first?.parent ?? null; element; element = element.parent) {
    const named = `${element.attributes.get('class') ?? ''} ${element.attributes.get('id') ?? ''}`;
    if (hidden.has(element) || /pre-?header|preview/i.test(named)) outermost = element;
  }
  return outermost;
}

/**
 * The line that email clients show next to the subject, with the marks of blanked expressions and without filler
 * characters; null if the message has no preheader.
 */
export function preheaderOf(email: ParsedEmail): string | null {
  const element = preheaderElement(email);
  return (
    element &&
    textIn(element)
      .replace(/[\s\u00ad\u034f\u200b-\u200f\u2007\u2060\ufeff]+/g, ' ')
      .trim()
  );
}

/** Whether the message has its own unsubscribe link. */
export function hasUnsubscribeLink(email: ParsedEmail): boolean {
  return email.elements.some((element) => {
    if (element.name !== 'a' || !element.attributes.has('href')) return false;
    const written = writtenAttribute(email, element, 'href');
    return UNSUBSCRIBE.test(written.slice(0, 4_000)) || UNSUBSCRIBE.test(textIn(element).slice(0, 4_000));
  });
}
