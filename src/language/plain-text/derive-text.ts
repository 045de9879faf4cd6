/**
 * Derives the plain-text version of a template from its HTML (`body_text`, section 2.7). Expressions stay as written,
 * so that the text is a template itself: an expression in the HTML is the same one in the text, and text stays text
 * (see nlt/text-marks).
 *
 * Each expression is replaced by a mark that the HTML parser treats as a word, and restored afterwards. Saving a
 * template waits for this, so HTML that is too large or too broken for the parser is stripped of its tags instead.
 */
import { MAX_BLOCKS } from '../nlt/limits.js';
import { parseTemplate } from '../nlt/parser.js';
import { ADDRESS_END, ADDRESS_START, TEXT_BRACE, withoutMarks } from '../nlt/text-marks.js';
import { Tokenizer } from '../nlt/tokenizer.js';
import type { TemplateLanguage } from '../template-language.js';
import { withoutInvisible } from './invisible-characters.js';
import { stripTags } from './strip-tags.js';
import { ADDRESS_EDGES, htmlToText } from './text-formatters.js';

/** The parser's time grows with the square of unclosed tags; no email has this many tags, including closing ones. */
const MAX_TAGS = 20_000;
/** The parser looks tags up by name in an object, which inherits this property. */
const UNPARSABLE_TAG = /<\/?constructor(?![^\s/>])/i;
/** A text with more expressions is not parsed again to check that they are unchanged. */
const MAX_REPARSED_BLOCKS = 10_000;

/**
 * The text of an HTML template in NLT, with its expressions; it has no more syntax errors than the HTML has.
 * @param language the template's pin; with `nlt`, Jinja2 in the text is not parsed.
 */
export function deriveText(html: string, language: TemplateLanguage | null = null): string {
  const { marked, blocks, mark, hasBroken } = markBlocks(html);
  const controlMark = new RegExp(`${mark}[oec]\\d+${mark}`, 'g');
  const controlMarksIn = (text: string): string =>
    text.includes(mark) ? (text.match(controlMark) ?? []).join('') : '';
  const finish = (text: string): string =>
    restore(markBraces(withoutMarks(tidyLines(visible(text), mark)), mark, language), blocks, mark).trim();
  // A condition in a comment still controls the content around it.
  const source = replaceComments(marked, controlMarksIn);
  if (!UNPARSABLE_TAG.test(source) && !hasMoreTags(source, MAX_TAGS)) {
    const text = htmlToText(source, mark);
    const finished = finish(text);
    // Complete expressions in the original order cannot have more errors.
    if (!hasBroken && controlMarksIn(text) === controlMarksIn(source)) return finished;
    if (blocks.length <= MAX_REPARSED_BLOCKS && hasNoMoreErrors(finished, html)) return finished;
  }
  // The text may omit a tag that contains half of a condition: stripping tags loses none.
  return finish(stripTags(source, controlMarksIn));
}

/** Removes invisible characters, and the spaces that they leave at the ends of lines. */
function visible(text: string): string {
  return withoutInvisible(text).replace(/[^\S\n]+$/gm, '');
}

function hasMoreTags(html: string, limit: number): boolean {
  let found = 0;
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at + 1)) if (++found > limit) return true;
  return false;
}

function hasNoMoreErrors(text: string, html: string): boolean {
  const { errors } = parseTemplate(text);
  return errors.length === 0 || errors.length <= parseTemplate(html).errors.length;
}

interface MarkedSource {
  readonly marked: string;
  /** Expressions as written; a mark contains the index of its expression. */
  readonly blocks: readonly string[];
  readonly mark: string;
  /** Whether an expression is unclosed: its end then depends on the text that follows. */
  readonly hasBroken: boolean;
}

const MARK_KINDS: ReadonlyMap<string, MarkKind> = new Map([
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
  let copiedUntil = 0;
  for (let offset = source.indexOf('{'); offset >= 0 && blocks.length < MAX_BLOCKS;) {
    const end = endOfBraces(source, offset);
    // Two or more consecutive opening braces are text.
    if (end > offset + 1) {
      offset = source.indexOf('{', end);
      continue;
    }
    const reading = tokenizer.readBlock(offset);
    if (reading.kind !== 'text') {
      const kind = MARK_KINDS.get(reading.tokens[0]?.lower ?? '') ?? 'v';
      parts.push(source.slice(copiedUntil, offset), mark, kind, String(blocks.length), mark);
      blocks.push(source.slice(offset, reading.end));
      copiedUntil = reading.end;
      hasBroken ||= reading.kind === 'broken';
    }
    offset = source.indexOf('{', reading.end);
  }
  parts.push(source.slice(copiedUntil));
  return { marked: parts.join(''), blocks, mark, hasBroken };
}

/**
 * Replaces HTML comments. Uses a search instead of a regular expression, which would read to the end of the text after
 * every unclosed comment.
 */
function replaceComments(html: string, replacement: (comment: string) => string): string {
  const parts: string[] = [];
  let copiedUntil = 0;
  for (let start = html.indexOf('<!--'); start >= 0; start = html.indexOf('<!--', copiedUntil)) {
    const end = html.indexOf('-->', start + 4);
    if (end < 0) break;
    parts.push(html.slice(copiedUntil, start), replacement(html.slice(start, end)));
    copiedUntil = end + 3;
  }
  return parts.join('') + html.slice(copiedUntil);
}

function endOfBraces(source: string, offset: number): number {
  let end = offset;
  while (source[end] === '{') end++;
  return end;
}

/** A private-use character that the source does not contain, not even as an entity. */
function unusedCharacter(source: string): string {
  const used = new Set(source.match(/[\ue000-\uf8ff]/g));
  for (const [, hexadecimal, decimal] of source.matchAll(/&#(?:x0*([\da-f]{4})|0*(\d{5}))(?![\da-f])/gi))
    used.add(String.fromCharCode(hexadecimal ? parseInt(hexadecimal, 16) : Number(decimal)));
  let code = 0xe000;
  while (used.has(String.fromCharCode(code))) code++;
  return String.fromCharCode(code);
}

/** Text from the HTML stays text: a brace in it that could start an expression gets a mark. */
function markBraces(text: string, mark: string, language: TemplateLanguage | null): string {
  const next = language === 'nlt' ? mark : `{%#${mark}`;
  // Keywords start with these letters; within braces, tags and entities are skipped.
  const brace = `\\{(?=[${next}]|[\\s\\u0085\\u00ad\\u200b-\\u200d\\u2060]*[tiefn<&])`;
  return text.replace(new RegExp(brace, 'gi'), `{${TEXT_BRACE}`);
}

const EDGE_MARKS: Readonly<Record<string, string>> = {
  [ADDRESS_EDGES.start]: ADDRESS_START,
  [ADDRESS_EDGES.end]: ADDRESS_END,
};

function restore(text: string, blocks: readonly string[], mark: string): string {
  return text.replace(
    new RegExp(`${mark}(?:[oecv](\\d+)|([az]))${mark}`, 'g'),
    (_, index?: string, edge?: string) =>
      (edge === undefined ? blocks[Number(index)] : EDGE_MARKS[edge]) ?? '',
  );
}

/** The kind of a marked expression: `o` opens a block, `e` continues it, `c` closes it; `v` is a value. */
type MarkKind = 'o' | 'e' | 'c' | 'v';

const BLANK_LINE = /^[\s\u00a0\u00ad\u034f\u200b-\u200f\u2060\ufeff]*$/;

/**
 * Allows at most one blank line in a row, since nested layout tables leave many, and joins lines that contain only
 * block marks to the next line: on a separate line, a condition or loop would leave a blank line in every rendering.
 */
function tidyLines(text: string, mark: string): string {
  const controlMark = new RegExp(`${mark}([oec])\\d+${mark}`, 'g');
  const opensOnOwnLine: boolean[] = [];
  let tidy = '';
  /** Line breaks after the last line, and how many of them can be omitted. */
  let breaks = 0;
  let written = Infinity;
  for (const line of text.split('\n')) {
    const controlMarks = line.includes(mark) ? [...line.matchAll(controlMark)] : [];
    if (controlMarks.length === 0 && BLANK_LINE.test(line)) {
      breaks++;
      continue;
    }
    const hasOnlyMarks = controlMarks.length > 0 && BLANK_LINE.test(line.replace(controlMark, ''));
    let mayJoin = hasOnlyMarks;
    for (const [, kind] of controlMarks) {
      if (kind === 'o') opensOnOwnLine.push(hasOnlyMarks);
      // If a block started within a line, its end keeps the line break that the block may remove with it.
      else mayJoin &&= opensOnOwnLine.at(-1) ?? true;
      if (kind === 'c') opensOnOwnLine.pop();
    }
    const missing = Math.max(Math.min(breaks, 2) - written, 0);
    tidy += '\n'.repeat(missing) + (hasOnlyMarks ? controlMarks.map(([one]) => one).join('') : line);
    if (!mayJoin) [breaks, written] = [1, 0];
    else if (controlMarks.at(-1)?.[1] === 'c') [breaks, written] = [1, written + missing];
    else [breaks, written] = [1, Infinity];
  }
  return tidy;
}
