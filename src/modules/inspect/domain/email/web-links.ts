/** Collects the links of a message that lead to web pages, once for all rules that check addresses. */
import { CONTROL_FLOW_MARK } from './blanked-source.js';
import { attributeOffset, writtenAttribute, type EmailElement, type ParsedEmail } from './parsed-email.js';

/** Maximum number of characters of an address that is read: a longer one is reported for its length. */
const MAX_ADDRESS_LENGTH = 16_000;

export interface WebLink {
  readonly element: EmailElement;
  /** As in the message, with entities resolved. */
  readonly href: string;
  /** Contains marks for values of expressions. */
  readonly url: URL;
  /** The position of the attribute. */
  readonly at: number;
  readonly until: number;
}

/** In the order of the message. Links that are malformed, or whose host comes from an expression, are left out. */
export function webLinksOf(email: ParsedEmail): WebLink[] {
  return email.elements.flatMap((element) => {
    if (element.name !== 'a' && element.name !== 'area') return [];
    const href = (element.attributes.get('href') ?? '').trim();
    if (!/^https?:\/\//i.test(href) || href.length > MAX_ADDRESS_LENGTH || href.includes(CONTROL_FLOW_MARK))
      return [];
    if (!URL.canParse(href)) return [];
    return [{ element, href, url: new URL(href), ...attributeSpan(email, element, 'href') }];
  });
}

/** The range of an attribute with its name; if that is unknown, the range of its element. */
export function attributeSpan(
  email: ParsedEmail,
  element: EmailElement,
  attribute: string,
): { readonly at: number; readonly until: number } {
  const at = attributeOffset(element, attribute);
  return { at, until: at + writtenAttribute(email, element, attribute).length };
}
