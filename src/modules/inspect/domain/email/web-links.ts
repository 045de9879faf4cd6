/** The links of a message that lead to pages of the web, read once for rules that look at their addresses. */
import { STEERING } from './blanked-source.js';
import { placeOf, writtenAttribute, type EmailElement, type ParsedEmail } from './parsed-email.js';

/** Characters of an address that is read: what stands out about longer ones is their length. */
const LONGEST_ADDRESS = 16_000;

export interface WebLink {
  readonly element: EmailElement;
  /** As the message has it, entities resolved. */
  readonly href: string;
  /** Values that expressions bring are in it as marks. */
  readonly url: URL;
  /** Where the attribute stands. */
  readonly at: number;
  readonly until: number;
}

/** In the order of the message; those whose host an expression decides, or that cannot be read, are left out. */
export function webLinksOf(email: ParsedEmail): WebLink[] {
  return email.elements.flatMap((element) => {
    if (element.name !== 'a' && element.name !== 'area') return [];
    const href = (element.attributes.get('href') ?? '').trim();
    if (!/^https?:\/\//i.test(href) || href.length > LONGEST_ADDRESS || href.includes(STEERING)) return [];
    if (!URL.canParse(href)) return [];
    return [{ element, href, url: new URL(href), ...spanOf(email, element, 'href') }];
  });
}

/** Where an attribute stands with its name; of one without a place, where its element does. */
export function spanOf(
  email: ParsedEmail,
  element: EmailElement,
  attribute: string,
): { readonly at: number; readonly until: number } {
  const at = placeOf(element, attribute);
  return { at, until: at + writtenAttribute(email, element, attribute).length };
}
