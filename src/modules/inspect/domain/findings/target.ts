/**
 * Computes what a finding points at, as a text that stays the same from version to version (section 4.7), independent
 * of its position:
 * - for an element with its own text or code (a link, a heading, a script): the start tag and all that it contains;
 * - for an element that holds parts of a message (a table, a body, a division, a cell with a table in it): the start
 *   tag only, since its content changes while the fault in its tag stays;
 * - for what is not an element: the run of text that begins there, or what the rule names; never the rest of a line.
 *
 * Bound: an element that does not end within MAX_CONTENT_LENGTH characters is identified by its start tag.
 */
import type { RuleFinding } from './finding.js';

/** Maximum number of characters of a start tag, of an element's content, and of a text or of what a rule names. */
const MAX_TAG_LENGTH = 8_000;
const MAX_CONTENT_LENGTH = 20_000;
const MAX_TEXT_LENGTH = 2_000;

const START_TAG = /^<([a-z][a-z\d:-]*)(?:"[^"]*"|'[^']*'|[^'">])*>/i;
const VOID = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '));
const CONTAINERS = new Set(
  'html head body table thead tbody tfoot tr div section article main header footer nav aside center form fieldset ul ol dl style'.split(
    ' ',
  ),
);
const CONTAINER_TAG = /<(?:table|tr|td|div|section|article|center|ul|ol|dl)(?![a-z\d-])/i;
/** Elements that end where the next one of their kind begins. */
const OPEN_ENDED = new Set(['p', 'li', 'td', 'th', 'dt', 'dd', 'option']);
/** Elements that count as a whole, with all their content. */
const WHOLE = new Set(['a', 'button', 'script']);

/** @param offset the position of the finding in the source; null for what has no position there. */
export function normalTarget(finding: RuleFinding, offset: number | null, source: string): string {
  const { target, part, until, message } = finding;
  const named = part === undefined ? '' : `\n${normalized(part, MAX_TEXT_LENGTH)}`;
  if (target !== undefined) return normalized(target, MAX_TEXT_LENGTH) + named;
  // Sizes and counts change while the finding stays the same.
  if (offset === null) return normalized(message, MAX_TEXT_LENGTH).replace(/\d[\d.,]*/g, '#') + named;
  return (elementAt(source, offset) ?? textAt(source, offset, until)) + named;
}

/** The element whose start tag is at an offset; null if there is none. */
function elementAt(source: string, offset: number): string | null {
  const [tag, written] = START_TAG.exec(source.slice(offset, offset + MAX_TAG_LENGTH)) ?? [];
  if (tag === undefined || written === undefined) return null;
  const name = written.toLowerCase();
  const start = normalized(tag, MAX_TAG_LENGTH);
  if (VOID.has(name) || CONTAINERS.has(name) || tag.endsWith('/>')) return start;
  const from = offset + tag.length;
  const content = contentOf(name, source.slice(from, from + MAX_CONTENT_LENGTH));
  if (content === null || (!WHOLE.has(name) && CONTAINER_TAG.test(content))) return start;
  return `${start}${normalized(content, MAX_CONTENT_LENGTH)}`;
}

/** The content before the end of an element; null if it does not end. */
function contentOf(name: string, rest: string): string | null {
  let depth = 1;
  for (const { 0: mark, index } of rest.matchAll(new RegExp(`</?${name}(?![a-z\\d:-])`, 'gi'))) {
    const isEnd = mark.startsWith('</');
    if (isEnd || OPEN_ENDED.has(name)) depth--;
    else if (name !== 'script') depth++;
    if (depth === 0) return rest.slice(0, index);
  }
  return null;
}

function textAt(source: string, offset: number, until: number | undefined): string {
  if (until !== undefined && until > offset) return normalized(source.slice(offset, until), MAX_TEXT_LENGTH);
  return normalized(
    /^.[^<]*/s.exec(source.slice(offset, offset + MAX_TEXT_LENGTH))?.[0] ?? '',
    MAX_TEXT_LENGTH,
  );
}

function normalized(text: string, maxLength: number): string {
  return text.slice(0, maxLength).replace(/\s+/g, ' ').trim().toWellFormed();
}
