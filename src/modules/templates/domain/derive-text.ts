/**
 * Makes the plain-text version of a template from its HTML (`body_text`, section 2.7). Expressions stay as they are
 * written, so that the text is a template itself.
 *
 * Each expression is replaced by a mark that looks like a word to the HTML reader, and put back afterwards.
 */
import { compile } from 'html-to-text';
import { parseTemplate } from './nlt/parser.js';
import { Tokenizer } from './nlt/tokenizer.js';

/** Deeper tags are hostile or broken; the reader of HTML recurses. */
const DEEPEST_TAG = 300;
/** The reader's time grows with the square of tags left open; no email has so many. */
const MOST_TAGS = 30_000;

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
  const { marked, blocks, mark } = markBlocks(html);
  const steering = new RegExp(`${mark}s\\d+${mark}`, 'g');
  const steeringIn = (text: string): string => (text.match(steering) ?? []).join('');
  // A condition in a comment still decides about what stands around it.
  const source = replaceComments(marked, steeringIn);
  if (count(source, /<[a-z]/gi) <= MOST_TAGS) {
    const text = restore(toText(source), blocks, mark).trim();
    if (parseTemplate(text).errors.length <= parseTemplate(html).errors.length) return text;
  }
  // Half of a condition may be lost with a tag that the text leaves out: the plain way loses none.
  const plain = source.replace(/<[^<>]*>/g, (tag) => ` ${steeringIn(tag)}`);
  return restore(plain, blocks, mark).trim();
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

interface MarkedSource {
  readonly marked: string;
  /** Expressions as written; a mark holds the index of its own. */
  readonly blocks: readonly string[];
  readonly mark: string;
}

function markBlocks(source: string): MarkedSource {
  const mark = unusedCharacter(source);
  const tokenizer = new Tokenizer(source);
  const blocks: string[] = [];
  const parts: string[] = [];
  let done = 0;
  for (let offset = source.indexOf('{'); offset >= 0;) {
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
    }
    offset = source.indexOf('{', reading.end);
  }
  parts.push(source.slice(done));
  return { marked: parts.join(''), blocks, mark };
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
