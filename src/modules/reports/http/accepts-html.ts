/**
 * Decides by the Accept header, RFC 9110 section 12.5.1, whether a caller gets a page (browsers) or JSON (all others).
 */

/** Media types of pages. A wildcard does not count as a request for a page. */
const PAGES: ReadonlySet<string> = new Set(['text/html', 'application/xhtml+xml']);
const JSON_TYPE = 'application/json';
/** Maximum number of header entries that are read. */
const MAX_ENTRIES = 32;

/** Whether the header names a page type with at least the preference of JSON; among equals, the first counts. */
export function acceptsHtml(accept: string | undefined): boolean {
  const [best] = (accept ?? '')
    .split(',', MAX_ENTRIES)
    .map(entryOf)
    .filter(({ type, quality }) => quality > 0 && (PAGES.has(type) || type === JSON_TYPE))
    .sort((a, b) => b.quality - a.quality);
  return best !== undefined && PAGES.has(best.type);
}

function entryOf(text: string): { readonly type: string; readonly quality: number } {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith('q='));
  const quality = weight === undefined ? 1 : Number(weight.slice(2));
  return { type, quality: Number.isFinite(quality) ? quality : 0 };
}
