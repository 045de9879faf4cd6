/** Rules about resources that load with a message and report it to their host (codes TR001, TR002, TR017 and TR022). */
import { CONTROL_FLOW_MARK } from '../email/blanked-source.js';
import type { CssDeclaration } from '../email/css-reader.js';
import { quote, type RuleFinding } from '../findings/finding.js';
import type { EmailElement, ParsedEmail } from '../email/parsed-email.js';
import { attributeSpan } from '../email/web-links.js';
import { personalPartOf } from './personal-data.js';
import { isAnalytics, isCountedElsewhere } from './tracker-hosts.js';

/** An image of at most this size on both sides is invisible, in CSS pixels. */
const MAX_INVISIBLE_PX = 2;
/** Maximum number of characters of an address that is read. */
const MAX_ADDRESS_LENGTH = 16_000;

export function trackingImageFindings(email: ParsedEmail): RuleFinding[] {
  return [...email.elements.flatMap((element) => elementFindings(email, element)), ...importFindings(email)];
}

function elementFindings(email: ParsedEmail, element: EmailElement): RuleFinding[] {
  if (element.name === 'link') return styleSheetFindings(email, element);
  if (element.name !== 'img') return [];
  const url = addressOf(element.attributes.get('src'));
  if (!url) return [];
  const span = attributeSpan(email, element, 'src');
  const src = quote(element.attributes.get('src') ?? '');
  const findings: RuleFinding[] = [];
  if (isAnalytics(url) || isCountedElsewhere(url))
    findings.push({
      rule: 'tracker_image',
      message: `The image ${src} belongs to a service that tracks readers.`,
      ...span,
    });
  else if (isInvisible(element, email.inline.get(element) ?? []))
    findings.push({ rule: 'tracking_pixel', message: `The image ${src} is invisible.`, ...span });
  const personal = personalPartOf(url);
  if (personal !== null)
    findings.push({
      rule: 'image_personal_data',
      message: `The address of the image ${src} contains ${personal}.`,
      ...span,
    });
  return findings;
}

/** An absolute http or https address; undefined for anything else. */
function addressOf(text: string | undefined): URL | undefined {
  const address = (text ?? '').trim();
  if (
    !/^(?:https?:)?\/\//i.test(address) ||
    address.length > MAX_ADDRESS_LENGTH ||
    address.includes(CONTROL_FLOW_MARK)
  )
    return undefined;
  const whole = address.startsWith('//') ? `https:${address}` : address;
  return URL.canParse(whole) ? new URL(whole) : undefined;
}

/** Spacers are this small on only one side; an image that is small on both shows nothing. */
function isInvisible({ attributes }: EmailElement, style: readonly CssDeclaration[]): boolean {
  if (style.some(({ property, text }) => property === 'display' && text.toLowerCase() === 'none'))
    return true;
  const isSmall = (side: 'width' | 'height'): boolean => {
    const styled = style.findLast(({ property }) => property === side)?.text;
    const size = /^\s*(\d{1,5}(?:\.\d{1,5})?)\s*(?:px\s*)?$/i.exec(styled ?? attributes.get(side) ?? '')?.[1];
    return size !== undefined && Number(size) <= MAX_INVISIBLE_PX;
  };
  return isSmall('width') && isSmall('height');
}

function styleSheetFindings(email: ParsedEmail, element: EmailElement): RuleFinding[] {
  const rel = (element.attributes.get('rel') ?? '').toLowerCase();
  if (!/stylesheet|preload|prefetch|preconnect/.test(rel)) return [];
  const url = addressOf(element.attributes.get('href'));
  if (!url) return [];
  const message = `A font or style is loaded from ${quote(url.hostname)}.`;
  return [{ rule: 'remote_font_tracks', message, ...attributeSpan(email, element, 'href') }];
}

function importFindings({ atRules }: ParsedEmail): RuleFinding[] {
  return atRules.flatMap(({ name, prelude, offset }): RuleFinding[] => {
    if (name.toLowerCase() !== 'import') return [];
    const address = /(?:https?:)?\/\/[^\s"')]{1,2000}/i.exec(prelude.slice(0, 4_000))?.[0];
    const url = addressOf(address);
    if (!url) return [];
    const message = `A font or style is loaded from ${quote(url.hostname)}.`;
    return [{ rule: 'remote_font_tracks', message, at: offset, target: `@import ${address ?? ''}` }];
  });
}
