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
const LONGEST_AGAIN = 300;
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
const DEEPEST = 512;
/** Beyond this number of tags, a template is not checked: a message of 102 KB has some 5,000. */
const MOST_TAGS = 15_000;

/** The fix for errors that belong together: those of one closing tag, or of the end of the source. */
export interface TagMending {
  readonly findings: readonly RuleFinding[];
  /** The positions of the tags in question. */
  readonly tags: readonly number[];
  readonly edits: readonly SourceEdit[];
}

export interface TagBalance {
  readonly findings: readonly RuleFinding[];
  readonly mendings: readonly TagMending[];
  /** Why the structure must not be checked further; null if it may be. */
  readonly excess: string | null;
}

interface OpenTag {
  readonly name: string;
  readonly offset: number;
  /** The offset after the tag. */
  readonly end: number;
}

interface Slips {
  readonly findings: RuleFinding[];
  readonly tags: number[];
  readonly edits: SourceEdit[];
}

/** A tag that was reported as misnested and whose closing tag may still come. */
interface Late {
  readonly open: OpenTag;
  readonly slips: Slips;
  /** The offset after the closing tag that came too early. */
  readonly closedAt: number;
}

/** @param html a template without its expressions. */
export function checkTagBalance(html: string): TagBalance {
  const reading = new BalanceReading(html);
  const tokenizer = new Tokenizer({ sourceCodeLocationInfo: true }, reading);
  reading.tokenizer = tokenizer;
  tokenizer.write(html, true);
  return { findings: reading.end(), mendings: reading.mendings, excess: reading.excess };
}

class BalanceReading {
  tokenizer: Tokenizer;
  excess: string | null = null;
  readonly mendings: Slips[] = [];
  private readonly stack: OpenTag[] = [];
  private readonly findings: RuleFinding[] = [];
  /** Closing tags still expected for tags reported as misnested. */
  private readonly late = new Map<string, Late[]>();
  /** The offset where the document's own closing tags begin. */
  private frameEnd: number | null = null;
  private tags = 0;
  private foreign = 0;

  constructor(private readonly html: string) {}

  onStartTag(token: Token.TagToken): void {
    this.count();
    const { tagName: name, selfClosing } = token;
    this.switchMode(name);
    if (VOID.has(name) || FRAME.has(name)) return;
    if (selfClosing && (name.includes(':') || this.foreign > 0 || name === 'svg' || name === 'math')) return;
    this.closeImplied(name);
    const { startOffset: offset = 0, endOffset: end = 0 } = token.location ?? {};
    this.stack.push({ name, offset, end });
    if (name === 'svg' || name === 'math') this.foreign++;
    if (this.stack.length > DEEPEST) this.stop(`Tags are nested more than ${DEEPEST} levels deep.`);
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
    const end = lengthWritten(this.html);
    const isInside = this.frameEnd !== null && this.frameEnd >= (last?.end ?? 0);
    const slips = this.slipsAt(open, isInside ? (this.frameEnd ?? end) : end);
    for (const { name, offset } of open) {
      this.report('tag_unclosed', `<${name}> is not closed.`, offset, slips);
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
    if (++this.tags > MOST_TAGS) this.stop(`There are more than ${MOST_TAGS} tags.`);
  }

  private stop(excess: string): void {
    this.excess ??= excess;
    this.tokenizer.pause();
  }

  /** To a browser, the content of these elements is text. */
  private switchMode(name: string): void {
    if (this.foreign > 0) return;
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
    const within = this.stack.splice(index).slice(1);
    this.foreign -= within.filter((open) => open.name === 'svg' || open.name === 'math').length;
    const open = within.filter((each) => !END_OPTIONAL.has(each.name));
    const slips = this.slipsAt(open, at);
    for (const each of open) {
      this.late.set(each.name, [...(this.late.get(each.name) ?? []), { open: each, slips, closedAt }]);
      this.report('tag_misnested', `</${name}> comes before <${each.name}> is closed.`, at, slips);
    }
    if (name === 'svg' || name === 'math') this.foreign--;
  }

  /** Tags that are still open at a position; the fix closes them there, the inner ones first. */
  private slipsAt(open: readonly OpenTag[], at: number): Slips {
    const text = open
      .map(({ name }) => `</${name}>`)
      .reverse()
      .join('');
    const slips = {
      findings: [],
      tags: open.map(({ offset }) => offset),
      edits: [{ start: at, end: at, text }],
    };
    if (open.length > 0) this.mendings.push(slips);
    return slips;
  }

  private reportUnopened({ name, offset: at, end }: OpenTag): void {
    const late = this.late.get(name)?.shift();
    if (late) return this.mendLate(late, at, end);
    const slips = { findings: [], tags: [at], edits: [{ start: at, end, text: '' }] };
    this.mendings.push(slips);
    this.report('tag_unopened', `</${name}> closes nothing.`, at, slips);
  }

  /**
   * If closing too early has a visible effect, the fix reopens the element, as parsers do; otherwise it removes the
   * late closing tag.
   */
  private mendLate({ open, slips, closedAt }: Late, at: number, end: number): void {
    const again = this.html.slice(open.offset, open.end);
    const shows = FORMATTING.has(open.name) && this.html.slice(closedAt, at).trim() !== '';
    if (!shows) slips.edits.push({ start: at, end, text: '' });
    else if (again.length <= LONGEST_AGAIN && !holdsExpression(again))
      slips.edits.push({ start: closedAt, end: closedAt, text: again });
    else slips.edits.length = 0;
  }

  private report(rule: RuleFinding['rule'], message: string, at: number, slips: Slips): void {
    const finding = { rule, message, at };
    this.findings.push(finding);
    slips.findings.push(finding);
  }
}

/** The length without trailing white space; trailing expressions count. */
function lengthWritten(html: string): number {
  let length = html.length;
  while (length > 0 && ' \t\r\n'.includes(html.charAt(length - 1))) length--;
  return length;
}
