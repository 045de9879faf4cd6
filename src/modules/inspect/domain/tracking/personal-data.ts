/** Finds the parts of an address that identify the reader (section 4.7: category tracking). */
import { decodedText } from '../email/web-address.js';

/** Names of parameters that hold personal data. */
const PERSONAL =
  /^(?:e-?mail|mail|email_?address|user_?email|contact_?email|first_?name|last_?name|full_?name|surname|phone|phone_?number|mobile|birth_?(?:day|date)|date_of_birth|dob|address|street|ssn)$/i;
const EMAIL = /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+/;
/** Names of files may look like email addresses (`logo@2x.png`). */
const FILE = /\.(?:png|jpe?g|gif|webp|avif|svg|ico|css|js|html?|pdf)$/i;
/** Addresses of organizations, which are no personal data. */
const ROLE =
  /^(?:info|hello|support|contact|help|sales|service|office|team|news|newsletter|no-?reply|kontakt)@/i;

/** A message that says what data of the reader it contains; null if none. */
export function personalPartOf(url: URL): string | null {
  for (const [name, value] of url.searchParams) {
    if (PERSONAL.test(name) && value.trim() !== '' && !ROLE.test(value)) return `the value ${name}`;
    if (holdsEmail(value)) return 'an email address';
  }
  return holdsEmail(decodedText(`${url.pathname}${url.hash}`)) ? 'an email address' : null;
}

function holdsEmail(text: string): boolean {
  const found = text.includes('@') ? EMAIL.exec(text)?.[0] : undefined;
  return found !== undefined && !ROLE.test(found) && !FILE.test(found);
}
