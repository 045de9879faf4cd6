/** Checks the addresses of images, without requesting them (section 4.7, images). */
import { holdsExpression } from '../email/blanked-source.js';
import { quote, type RuleFinding } from '../findings/finding.js';
import type { EmailElement, ParsedEmail } from '../email/parsed-email.js';
import type { RuleName } from '../rules/catalogue.js';
import { atElement } from './element-findings.js';
import { webAddress, type WebAddress } from '../email/web-address.js';

/** Maximum length of an address that every client and proxy passes on, in characters. */
const MAX_ADDRESS_LENGTH = 2_000;
/** From this number of characters, an embedded image is no longer a small icon. */
const MAX_EMBEDDED_LENGTH = 10_240;
/** File endings that email clients do not show as an image. */
const NOT_AN_IMAGE = /\.(?:pdf|psd|ai|eps|sketch|fig|docx?|pptx?|zip|mov|avi|webm|html?)$/i;
const SHARE_PAGES: readonly RegExp[] = [
  /^https?:\/\/drive\.google\.com\/(?:file|open)\b/i,
  /^https?:\/\/photos\.(?:google\.com|app\.goo\.gl)\//i,
  /^https?:\/\/(?:www\.)?dropbox\.com\/(?:s|scl)\/(?![^#]*(?:raw=1|dl=1))/i,
  /^https?:\/\/(?:www\.)?imgur\.com\//i,
  /^https?:\/\/(?:www\.)?flickr\.com\/photos\//i,
];
const EXPIRY_PARAMETERS = ['X-Amz-Expires', 'X-Amz-Signature', 'X-Goog-Expires', 'Expires', 'se'];

export function checkImageAddresses({ elements }: ParsedEmail): RuleFinding[] {
  return elements.flatMap((element) => (element.name === 'img' ? checkImage(element) : []));
}

function checkImage(image: EmailElement): RuleFinding[] {
  const source = image.attributes.get('src') ?? '';
  if (/^\s*data:/i.test(source)) return checkEmbedded(image, source);
  const findings: RuleFinding[] = [];
  const report = (rule: RuleName, what: string): void => {
    const shown = holdsExpression(source) ? 'An image' : `The image ${quote(source)}`;
    findings.push(atElement(rule, image, `${shown} ${what}.`));
  };
  if (source.length > MAX_ADDRESS_LENGTH && !holdsExpression(source)) {
    report('image_address_long', `has an address with ${source.length} characters`);
  }
  const address = webAddress(source);
  if (!address) return findings;
  if (/[\t\n\r ]/.test(address.text)) report('image_address_blank', 'has a space in its address');
  if (NOT_AN_IMAGE.test(address.url.pathname))
    report('image_no_image', 'has an address that is not an image file');
  if (SHARE_PAGES.some((page) => page.test(address.text)))
    report('image_share_page', 'has the address of a page');
  if (isSigned(address)) report('image_expires', 'has an address that expires');
  return findings;
}

function checkEmbedded(image: EmailElement, source: string): RuleFinding[] {
  if (source.length <= MAX_EMBEDDED_LENGTH) return [];
  const message = `An embedded image takes up ${(source.length / 1024).toFixed(1)} KB.`;
  return [atElement('image_embedded_large', image, message)];
}

function isSigned({ url: { searchParams } }: WebAddress): boolean {
  const signature = ['Signature', 'sig', 'X-Amz-Signature', 'X-Goog-Signature'].some((name) =>
    searchParams.has(name),
  );
  return signature && EXPIRY_PARAMETERS.some((name) => searchParams.has(name));
}
