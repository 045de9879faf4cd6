/** Headers of the small pages for people that need no session: links of emails, and invitations. */
import { createHash } from 'node:crypto';

/**
 * Nothing runs, nothing is loaded, framed, indexed or kept, and the token in the address is sent to nobody.
 * @param style the page's one style sheet, as it stands in the page.
 * @param formAction where its forms may be sent.
 */
export function pageHeaders(
  style: string,
  formAction: "'self'" | "'none'",
): Readonly<Record<string, string>> {
  const hash = createHash('sha256').update(style).digest('base64');
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; style-src 'sha256-${hash}'; form-action ${formAction}; base-uri 'none'; frame-ancestors 'none'`,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex, nofollow',
    'x-content-type-options': 'nosniff',
  };
}
