/**
 * The fallback conversion from HTML to text, for HTML that is too large or too broken to parse: tags are removed, and
 * lines end where blocks do. Its time is linear for any HTML.
 */
import { characterAt } from '../nlt/entities.js';

const RAW_ELEMENT = /<(style|script|title)\b/gi;
const BLOCK_TAG = /^<\/?(?:p|div|tr|table|li|ul|ol|h[1-6]|br|hr|blockquote)\b/i;
const CELL_TAG = /^<t[dh]\b/i;
const BRACE_ENTITIES: Readonly<Record<string, string>> = {
  '&lbrace;': '{',
  '&lcub;': '{',
  '&rbrace;': '}',
  '&rcub;': '}',
};

/**
 * The text between the tags.
 * @param preserve returns the part of a removed piece that must stay.
 */
export function stripTags(html: string, preserve: (piece: string) => string): string {
  return withoutRawElements(html, preserve)
    .replace(/\s+/g, ' ')
    .replace(/<[^<>]*>/g, (tag) => breakOf(tag) + preserve(tag))
    .replace(/&(?:[a-z]{2,8}|#\d{1,7}|#x[\da-f]{1,6});/gi, decodeEntity)
    .replace(/ {2,}/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n');
}

function breakOf(tag: string): string {
  if (BLOCK_TAG.test(tag)) return '\n';
  return CELL_TAG.test(tag) ? ' ' : '';
}

function decodeEntity(entity: string): string {
  const { character, fromEntity } = characterAt(entity, 0);
  if (!fromEntity) return BRACE_ENTITIES[entity] ?? entity;
  return character === '\u00a0' ? ' ' : character;
}

/** Removes elements whose content is never shown; if one is never closed, only its tag is removed. */
function withoutRawElements(html: string, preserve: (piece: string) => string): string {
  const closings: Record<string, number[]> = { style: [], script: [], title: [] };
  for (const match of html.matchAll(/<\/(style|script|title)\b/gi))
    closings[(match[1] ?? '').toLowerCase()]?.push(match.index);
  for (const offsets of Object.values(closings)) offsets.reverse();
  const parts: string[] = [];
  let copiedUntil = 0;
  for (const match of html.matchAll(RAW_ELEMENT)) {
    const offsets = closings[(match[1] ?? '').toLowerCase()] ?? [];
    if (match.index < copiedUntil) continue;
    while ((offsets.at(-1) ?? Infinity) < match.index) offsets.pop();
    const end = offsets.at(-1);
    if (end === undefined) continue;
    parts.push(html.slice(copiedUntil, match.index), preserve(html.slice(match.index, end)));
    copiedUntil = end;
  }
  return parts.join('') + html.slice(copiedUntil);
}
