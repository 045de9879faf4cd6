/** Headers of the small HTML pages that need no session: links of emails, and invitations. */
import { createHash } from 'node:crypto';

/**
 * No scripts, no external resources, no framing, indexing or caching, and no referrer that would leak the token in the
 * URL.
 * @param style the page's only style sheet, exactly as in the page.
 * @param formAction where its forms may be submitted.
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
