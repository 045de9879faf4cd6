/**
 * Makes the plain-text version of a template from its HTML (`body_text`, section 2.7). Expressions stay as they are
 * written, so that the text is a template itself.
 *
 * Each expression is replaced by a mark that looks like a word to the HTML reader, and put back afterwards. Saving
 * waits for this, so what is too large or too broken for the reader is stripped of its tags instead.
 */
import { compile } from 'html-to-text';
import { MAX_BLOCKS } from './nlt/limits.js';
import { parseTemplate } from './nlt/parser.js';
import { Tokenizer } from './nlt/tokenizer.js';
import { stripTags } from './strip-tags.js';

/** Deeper tags are hostile or broken; the reader of HTML recurses. */
const DEEPEST_TAG = 300;
/** The reader's time grows with the square of tags left open; no email has so many, closing ones included. */
const MOST_TAGS = 20_000;
/** Text with more expressions is not read again to see whether they are still the same. */
const MOST_REREAD = 10_000;

const toText = compile({
  wordwrap: false,
  limits: { maxInputLength: Number.MAX_SAFE_INTEGER, maxDepth: DEEPEST_TAG },
  selectors: [
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true, linkBrackets: ['(', ')'] } },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
    { selector: 'img', format: 'skip' },
  ],
});

/** The text of an HTML template, with its expressions; it has no more syntax errors than the HTML has. */
export function deriveText(html: string): string {
  const { marked, blocks, mark, hasBroken } = markBlocks(html);
  const steering = new RegExp(`${mark}s\\d+${mark}`, 'g');
  const steeringIn = (text: string): string =>
    text.includes(mark) ? (text.match(steering) ?? []).join('') : '';
  // A condition in a comment still decides about what stands around it.
  const source = replaceComments(marked, steeringIn);
  if (!hasMoreTags(source, MOST_TAGS)) {
    const text = toText(source);
    const restored = restore(text, blocks, mark).trim();
    // Whole expressions in their order, and no brace that could become one, cannot have more errors.
    if (!hasBroken && !text.includes('{') && steeringIn(text) === steeringIn(source)) return restored;
    if (blocks.length <= MOST_REREAD && hasNoMoreErrors(restored, html)) return restored;
  }
  // Half of a condition may be lost with a tag that the text leaves out: the plain way loses none.
  return restore(stripTags(source, steeringIn), blocks, mark).trim();
}

function hasMoreTags(html: string, most: number): boolean {
  let found = 0;
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at + 1)) if (++found > most) return true;
  return false;
}

function hasNoMoreErrors(text: string, html: string): boolean {
  const { errors } = parseTemplate(text);
  return errors.length === 0 || errors.length <= parseTemplate(html).errors.length;
}

interface MarkedSource {
  readonly marked: string;
  /** Expressions as written; a mark holds the index of its own. */
  readonly blocks: readonly string[];
  readonly mark: string;
  /** Whether an expression does not end: where it does depends on what follows. */
  readonly hasBroken: boolean;
}

function markBlocks(source: string): MarkedSource {
  const mark = unusedCharacter(source);
  const tokenizer = new Tokenizer(source);
  const blocks: string[] = [];
  const parts: string[] = [];
  let hasBroken = false;
  let done = 0;
  for (let offset = source.indexOf('{'); offset >= 0 && blocks.length < MAX_BLOCKS;) {
    const end = endOfBraces(source, offset);
    // Two opening braces and more are text.
    if (end > offset + 1) {
      offset = source.indexOf('{', end);
      continue;
    }
    const reading = tokenizer.readBlock(offset);
    if (reading.kind !== 'text') {
      const isSteering = /^(?:if|else|end|for)$/.test(reading.tokens[0]?.lower ?? '');
      parts.push(source.slice(done, offset), mark, isSteering ? 's' : 'v', String(blocks.length), mark);
      blocks.push(source.slice(offset, reading.end));
      done = reading.end;
      hasBroken ||= reading.kind === 'broken';
    }
    offset = source.indexOf('{', reading.end);
  }
  parts.push(source.slice(done));
  return { marked: parts.join(''), blocks, mark, hasBroken };
}

/** Replaces HTML comments. By search, not by pattern: a pattern reads on to the end behind every comment left open. */
function replaceComments(html: string, replacement: (comment: string) => string): string {
  const parts: string[] = [];
  let done = 0;
  for (let start = html.indexOf('<!--'); start >= 0; start = html.indexOf('<!--', done)) {
    const end = html.indexOf('-->', start + 4);
    if (end < 0) break;
    parts.push(html.slice(done, start), replacement(html.slice(start, end)));
    done = end + 3;
  }
  return parts.join('') + html.slice(done);
}

function endOfBraces(source: string, offset: number): number {
  let end = offset;
  while (source[end] === '{') end++;
  return end;
}

/** A character for private use that the source does not have. */
function unusedCharacter(source: string): string {
  const used = new Set(source.match(/[\ue000-\uf8ff]/g));
  let code = 0xe000;
  while (used.has(String.fromCharCode(code))) code++;
  return String.fromCharCode(code);
}

function restore(text: string, blocks: readonly string[], mark: string): string {
  return text.replace(new RegExp(`${mark}[sv](\\d+)${mark}`, 'g'), (_, index) => blocks[Number(index)] ?? '');
}
