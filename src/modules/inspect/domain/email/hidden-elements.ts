/** Finds the parts of an email that its styles hide. */
import type { CssDeclaration } from './css-reader.js';
import type { EmailElement, ParsedEmail } from './parsed-email.js';

/** Elements hidden by their own style attribute, or by that of an element around them. */
export function hiddenElements(email: ParsedEmail): ReadonlySet<EmailElement> {
  const hidden = new Set<EmailElement>();
  for (const element of email.elements) {
    const own = email.inline.get(element);
    const isHidden = element.attributes.has('hidden') || (own !== undefined && hides(own));
    if (isHidden || (element.parent && hidden.has(element.parent))) hidden.add(element);
  }
  return hidden;
}

function hides(declarations: readonly CssDeclaration[]): boolean {
  return declarations.some(({ property, text }) => {
    const value = text.toLowerCase();
    if (property === 'display') return value === 'none';
    if (property === 'visibility') return value === 'hidden';
    if (property === 'mso-hide') return value === 'all';
    if (property === 'opacity') return Number(value) === 0;
    return property === 'max-height' || property === 'font-size' ? /^[01](px|pt)?$/.test(value) : false;
  });
}
