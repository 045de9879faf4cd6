/**
 * Finds tags that are not closed, closed twice or closed in the wrong order, with an HTML tokenizer and a separate
 * stack: an HTML parser repairs such errors silently, and every email client repairs them differently.
 *
 * Special cases:
 * - Elements whose end tag is optional (`p`, `li`, `td` …) are never reported as unclosed.
 * - A closing tag reaches no further out than its table cell, as in browsers.
 * - The content of comments, including Outlook's conditional ones, is not checked.
 */
import { type Token, Tokenizer, TokenizerMode } from 'parse5';
import { holdsExpression } from './blanked-source.js';
import type { RuleFinding, SourceEdit } from '../findings/finding.js';

const VOID = new Set(
  'area base basefont bgsound br col command embed frame hr img input keygen link meta param source track wbr'.split(
    ' ',
  ),
);
const END_OPTIONAL = new Set(
  'p li dt dd tr td th thead tbody tfoot colgroup caption option optgroup rp rt rb rtc'.split(' '),
);
/** Elements whose start and end tags are both optional. */
const FRAME = new Set(['html', 'head', 'body']);
/** Parsers reopen these after the element that ended them. */
const FORMATTING = new Set('a b big code em font i s small strike strong tt u'.split(' '));
/** Maximum number of characters of an opening tag that a fix repeats. */
const MAX_REOPENED_TAG_LENGTH = 300;
const BARRIERS = new Set(['td', 'th', 'caption', 'table']);
const TABLE_PARTS = new Set(['table', 'thead', 'tbody', 'tfoot', 'tr', 'td', 'th', 'caption', 'colgroup']);
/** The elements that an opening tag of the table closes if they are on top of the stack. */
const CLOSED_BY: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    li: new Set(['li', 'p']),
    p: new Set(['p']),
    td: new Set(['td', 'th', 'p', 'li']),
    th: new Set(['td', 'th', 'p', 'li']),
    tr: new Set(['td', 'th', 'tr', 'p', 'li']),
    tbody: new Set(['td', 'th', 'tr', 'thead', 'tbody', 'tfoot', 'p', 'li']),
    option: new Set(['option']),
    dt: new Set(['dt', 'dd', 'p']),
    dd: new Set(['dt', 'dd', 'p']),
  }),
);

/** Beyond this number of elements open concurrently, a template is not checked: real email has some 60. */
const MAX_OPEN_ELEMENTS = 512;
/** Beyond this number of tags, a template is not checked: a message of 102 KB has some 5,000. */
const MAX_TAGS = 15_000;

/** The fix for errors that belong together: those of one closing tag, or of the end of the source. */
export interface TagFix {
  readonly findings: readonly RuleFinding[];
  /** The positions of the tags in question. */
  readonly tags: readonly number[];
  readonly edits: readonly SourceEdit[];
}

export interface TagBalance {
  readonly findings: readonly RuleFinding[];
  readonly fixes: readonly TagFix[];
  /** Why the structure must not be checked further; null if it may be. */
  readonly excess: string | null;
}

interface OpenTag {
  readonly name: string;
  readonly offset: number;
  /** The offset after the tag. */
  readonly end: number;
}

interface TagFixDraft {
  readonly findings: RuleFinding[];
  readonly tags: number[];
  readonly edits: SourceEdit[];
}

/** A tag that was reported as misnested and whose closing tag may still come. */
interface MisnestedTag {
  readonly open: OpenTag;
  readonly fix: TagFixDraft;
  /** The offset after the closing tag that came too early. */
  readonly closedAt: number;
}

/** @param html a template without its expressions. */
export function checkTagBalance(html: string): TagBalance {
  const checker = new BalanceChecker(html);
  const tokenizer = new Tokenizer({ sourceCodeLocationInfo: true }, checker);
  checker.tokenizer = tokenizer;
  tokenizer.write(html, true);
  return { findings: checker.end(), fixes: checker.fixes, excess: checker.excess };
}

class BalanceChecker {
  tokenizer: Tokenizer;
  excess: string | null = null;
  readonly fixes: TagFixDraft[] = [];
  private readonly stack: OpenTag[] = [];
  private readonly findings: RuleFinding[] = [];
  /** Closing tags still expected for tags reported as misnested. */
  private readonly misnested = new Map<string, MisnestedTag[]>();
  /** The offset where the document's own closing tags begin. */
  private frameEnd: number | null = null;
  private tags = 0;
  private foreignDepth = 0;

  constructor(private readonly html: string) {}

  onStartTag(token: Token.TagToken): void {
    this.count();
    const { tagName: name, selfClosing } = token;
    this.switchMode(name);
    if (VOID.has(name) || FRAME.has(name)) return;
    if (selfClosing && (name.includes(':') || this.foreignDepth > 0 || name === 'svg' || name === 'math'))
      return;
    this.closeImplied(name);
    const { startOffset: offset = 0, endOffset: end = 0 } = token.location ?? {};
    this.stack.push({ name, offset, end });
    if (name === 'svg' || name === 'math') this.foreignDepth++;
    if (this.stack.length > MAX_OPEN_ELEMENTS)
      this.stop(`Tags are nested more than ${MAX_OPEN_ELEMENTS} levels deep.`);
  }

  onEndTag(token: Token.TagToken): void {
    this.count();
    const { tagName: name } = token;
    const { startOffset: at = 0, endOffset: end = 0 } = token.location ?? {};
    if (FRAME.has(name) && name !== 'head') this.frameEnd ??= at;
    if (VOID.has(name) || FRAME.has(name)) return;
    const index = this.findOpen(name);
    if (index >= 0) this.closeTo(index, { name, offset: at, end });
    else this.reportUnopened({ name, offset: at, end });
  }

  /** Reports what is still open at the end of the source. */
  end(): readonly RuleFinding[] {
    // Tags that are open where checking stopped may be closed later.
    if (this.excess !== null) return this.findings;
    const open = this.stack.filter(({ name }) => !END_OPTIONAL.has(name));
    const last = open.at(-1);
    const end = trimmedLength(this.html);
    const isInside = this.frameEnd !== null && this.frameEnd >= (last?.end ?? 0);
    const fix = this.closingFix(open, isInside ? (this.frameEnd ?? end) : end);
    for (const { name, offset } of open) {
      this.report('tag_unclosed', `<${name}> is not closed.`, offset, fix);
    }
    return this.findings;
  }

  onComment(): void {}
  onDoctype(): void {}
  onEof(): void {}
  onCharacter(): void {}
  onNullCharacter(): void {}
  onWhitespaceCharacter(): void {}

  private count(): void {
    if (++this.tags > MAX_TAGS) this.stop(`There are more than ${MAX_TAGS} tags.`);
  }

  private stop(excess: string): void {
    this.excess ??= excess;
    this.tokenizer.pause();
  }

  /** To a browser, the content of these elements is text. */
  private switchMode(name: string): void {
    if (this.foreignDepth > 0) return;
    if (name === 'script') this.tokenizer.state = TokenizerMode.SCRIPT_DATA;
    else if (name === 'title' || name === 'textarea') this.tokenizer.state = TokenizerMode.RCDATA;
    else if (['style', 'xmp', 'iframe', 'noembed', 'noframes'].includes(name)) {
      this.tokenizer.state = TokenizerMode.RAWTEXT;
    }
  }

  private closeImplied(name: string): void {
    const closed = CLOSED_BY.get(name === 'thead' || name === 'tfoot' ? 'tbody' : name);
    while (closed?.has(this.stack.at(-1)?.name ?? '')) this.stack.pop();
  }

  private findOpen(name: string): number {
    for (let index = this.stack.length - 1; index >= 0; index--) {
      const open = this.stack[index]?.name ?? '';
      if (open === name) return index;
      if (BARRIERS.has(open) && !(TABLE_PARTS.has(name) && open !== 'table')) return -1;
    }
    return -1;
  }

  private closeTo(index: number, closing: OpenTag): void {
    const { name, offset: at, end: closedAt } = closing;
    const inner = this.stack.splice(index).slice(1);
    this.foreignDepth -= inner.filter((open) => open.name === 'svg' || open.name === 'math').length;
    const open = inner.filter((each) => !END_OPTIONAL.has(each.name));
    const fix = this.closingFix(open, at);
    for (const each of open) {
      this.misnested.set(each.name, [
        ...(this.misnested.get(each.name) ?? []),
        { open: each, fix, closedAt },
      ]);
      this.report('tag_misnested', `</${name}> comes before <${each.name}> is closed.`, at, fix);
    }
    if (name === 'svg' || name === 'math') this.foreignDepth--;
  }

  /** Tags that are still open at a position; the fix closes them there, the inner ones first. */
  private closingFix(open: readonly OpenTag[], at: number): TagFixDraft {
    const text = open
      .map(({ name }) => `</${name}>`)
      .reverse()
      .join('');
    const fix = {
      findings: [],
      tags: open.map(({ offset }) => offset),
      edits: [{ start: at, end: at, text }],
    };
    if (open.length > 0) this.fixes.push(fix);
    return fix;
  }

  private reportUnopened({ name, offset: at, end }: OpenTag): void {
    const misnested = this.misnested.get(name)?.shift();
    if (misnested) return this.fixLateClosing(misnested, at, end);
    const fix = { findings: [], tags: [at], edits: [{ start: at, end, text: '' }] };
    this.fixes.push(fix);
    this.report('tag_unopened', `</${name}> closes nothing.`, at, fix);
  }

  /**
   * If closing too early has a visible effect, the fix reopens the element, as parsers do; otherwise it removes the
   * late closing tag.
   */
  private fixLateClosing({ open, fix, closedAt }: MisnestedTag, at: number, end: number): void {
    const openingTag = this.html.slice(open.offset, open.end);
    const hasVisibleEffect = FORMATTING.has(open.name) && this.html.slice(closedAt, at).trim() !== '';
    if (!hasVisibleEffect) fix.edits.push({ start: at, end, text: '' });
    else if (openingTag.length <= MAX_REOPENED_TAG_LENGTH && !holdsExpression(openingTag))
      fix.edits.push({ start: closedAt, end: closedAt, text: openingTag });
    else fix.edits.length = 0;
  }

  private report(rule: RuleFinding['rule'], message: string, at: number, fix: TagFixDraft): void {
    const finding = { rule, message, at };
    this.findings.push(finding);
    fix.findings.push(finding);
  }
}

/** The length without trailing white space; trailing expressions count. */
function trimmedLength(html: string): number {
  let length = html.length;
  while (length > 0 && ' \t\r\n'.includes(html.charAt(length - 1))) length--;
  return length;
}
