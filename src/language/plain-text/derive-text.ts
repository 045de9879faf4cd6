/**
 * Makes the plain-text version of a template from its HTML (`body_text`, section 2.7). Expressions stay as they are
 * written, so that the text is a template itself: what is an expression in the HTML is the same one in the text, and
 * what is text there is text here (see nlt/text-marks).
 *
 * Each expression is replaced by a mark that looks like a word to the HTML reader, and put back afterwards. Saving
 * waits for this, so what is too large or too broken for the reader is stripped of its tags instead.
 */
import { MAX_BLOCKS } from '../nlt/limits.js';
import { parseTemplate } from '../nlt/parser.js';
import { ADDRESS_END, ADDRESS_START, TEXT_BRACE, withoutMarks } from '../nlt/text-marks.js';
import { Tokenizer } from '../nlt/tokenizer.js';
import type { TemplateLanguage } from '../template-language.js';
import { withoutInvisible } from './invisible-characters.js';
import { stripTags } from './strip-tags.js';
import { ADDRESS_EDGES, htmlToText } from './text-formatters.js';
import { type MarkKind, tidyLines } from './text-lines.js';

/** The reader's time grows with the square of tags left open; no email has so many, closing ones included. */
const MOST_TAGS = 20_000;
/** The reader looks tags up by name in an object, which has this one by nature. */
const NOT_TO_BE_READ = /<\/?constructor(?![^\s/>])/i;
/** Text with more expressions is not read again to see whether they are still the same. */
const MOST_REREAD = 10_000;

/**
 * The text of an HTML template in NLT, with its expressions; it has no more syntax errors than the HTML has.
 * @param language the template's pin; where it is `nlt`, nobody reads Jinja2 in the text.
 */
export function deriveText(html: string, language: TemplateLanguage | null = null): string {
  const { marked, blocks, mark, hasBroken } = markBlocks(html);
  const steering = new RegExp(`${mark}[oec]\\d+${mark}`, 'g');
  const steeringIn = (text: string): string =>
    text.includes(mark) ? (text.match(steering) ?? []).join('') : '';
  const finish = (text: string): string =>
    restore(markBraces(withoutMarks(tidyLines(shown(text), mark)), mark, language), blocks, mark).trim();
  // A condition in a comment still decides about what stands around it.
  const source = replaceComments(marked, steeringIn);
  if (!NOT_TO_BE_READ.test(source) && !hasMoreTags(source, MOST_TAGS)) {
    const text = htmlToText(source, mark);
    const finished = finish(text);
    // Whole expressions in their order cannot have more errors.
    if (!hasBroken && steeringIn(text) === steeringIn(source)) return finished;
    if (blocks.length <= MOST_REREAD && hasNoMoreErrors(finished, html)) return finished;
  }
  // Half of a condition may be lost with a tag that the text leaves out: the plain way loses none.
  return finish(stripTags(source, steeringIn));
}

/** Without invisible characters, and without the spaces that they leave at the ends of lines. */
function shown(text: string): string {
  return withoutInvisible(text).replace(/[^\S\n]+$/gm, '');
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

const KINDS: ReadonlyMap<string, MarkKind> = new Map([
  ['if', 'o'],
  ['for', 'o'],
  ['else', 'e'],
  ['end', 'c'],
]);

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
      const kind = KINDS.get(reading.tokens[0]?.lower ?? '') ?? 'v';
      parts.push(source.slice(done, offset), mark, kind, String(blocks.length), mark);
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

/** A character for private use that the source does not have, not as an entity either. */
function unusedCharacter(source: string): string {
  const used = new Set(source.match(/[\ue000-\uf8ff]/g));
  for (const [, hexadecimal, decimal] of source.matchAll(/&#(?:x0*([\da-f]{4})|0*(\d{5}))(?![\da-f])/gi))
    used.add(String.fromCharCode(hexadecimal ? parseInt(hexadecimal, 16) : Number(decimal)));
  let code = 0xe000;
  while (used.has(String.fromCharCode(code))) code++;
  return String.fromCharCode(code);
}

/** What has come from the HTML is text: a brace in it that could begin anything gets a mark. */
function markBraces(text: string, mark: string, language: TemplateLanguage | null): string {
  const next = language === 'nlt' ? mark : `{%#${mark}`;
  // Keywords begin with these letters; within braces, tags and entities are skipped.
  const brace = `\\{(?=[${next}]|[\\s\\u0085\\u00ad\\u200b-\\u200d\\u2060]*[tiefn<&])`;
  return text.replace(new RegExp(brace, 'gi'), `{${TEXT_BRACE}`);
}

const EDGES: Readonly<Record<string, string>> = {
  [ADDRESS_EDGES.start]: ADDRESS_START,
  [ADDRESS_EDGES.end]: ADDRESS_END,
};

function restore(text: string, blocks: readonly string[], mark: string): string {
  return text.replace(
    new RegExp(`${mark}(?:[oecv](\\d+)|([az]))${mark}`, 'g'),
    (_, index?: string, edge?: string) => (edge === undefined ? blocks[Number(index)] : EDGES[edge]) ?? '',
  );
}
