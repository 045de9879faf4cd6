/** Who asks with a browser sees a page, and everybody else gets JSON: what an Accept header prefers, RFC 9110 section 12.5.1. */

/** Types of pages; a type of nothing in particular is no wish for one. */
const PAGES: ReadonlySet<string> = new Set(['text/html', 'application/xhtml+xml']);
const JSON_TYPE = 'application/json';
/** Entries of a header that are looked at. */
const MOST = 32;

/** Whether a page is named, and no less wanted than JSON is; of equals the first counts. */
export function acceptsHtml(accept: string | undefined): boolean {
  const [best] = (accept ?? '')
    .split(',', MOST)
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
