/**
 * Finds tags that are not closed, closed twice or closed in the wrong order, by an HTML tokenizer and a stack of its
 * own: an HTML parser repairs such slips without a word, and every email client repairs them in another way.
 *
 * Dark corners:
 * - Elements whose end tag may be left out (`p`, `li`, `td` …) are never reported as unclosed.
 * - A closing tag reaches no further out than its table cell, as in browsers.
 * - What stands in comments, so in Outlook's conditional ones, is not followed.
 */
import { type Token, Tokenizer, TokenizerMode } from 'parse5';
import type { RuleFinding } from '../findings/finding.js';

const VOID = new Set(
  'area base basefont bgsound br col command embed frame hr img input keygen link meta param source track wbr'.split(
    ' ',
  ),
);
const END_OPTIONAL = new Set(
  'p li dt dd tr td th thead tbody tfoot colgroup caption option optgroup rp rt rb rtc'.split(' '),
);
/** May be left out at both ends. */
const FRAME = new Set(['html', 'head', 'body']);
const BARRIERS = new Set(['td', 'th', 'caption', 'table']);
const TABLE_PARTS = new Set(['table', 'thead', 'tbody', 'tfoot', 'tr', 'td', 'th', 'caption', 'colgroup']);
/** What an opening tag of the table closes, when it stands on top. */
const CLOSED_BY: ReadonlyMap<string, ReadonlySet<string>> = new Map(Object.entries({
  li: new Set(['li', 'p']),
  p: new Set(['p']),
  td: new Set(['td', 'th', 'p', 'li']),
  th: new Set(['td', 'th', 'p', 'li']),
  tr: new Set(['td', 'th', 'tr', 'p', 'li']),
  tbody: new Set(['td', 'th', 'tr', 'thead', 'tbody', 'tfoot', 'p', 'li']),
  option: new Set(['option']),
  dt: new Set(['dt', 'dd', 'p']),
  dd: new Set(['dt', 'dd', 'p']),
}));

/** Elements open at once beyond which a template is not examined: real email has some 60. */
const DEEPEST = 512;
/** Tags beyond which a template is not examined: a message of 102 KB has some 5,000. */
const MOST_TAGS = 15_000;

export interface TagBalance {
  readonly findings: readonly RuleFinding[];
  /** Why the structure must not be examined further; null when it may be. */
  readonly excess: string | null;
}

interface OpenTag {
  readonly name: string;
  readonly offset: number;
}

/** @param html a template without its expressions. */
export function checkTagBalance(html: string): TagBalance {
  const reading = new BalanceReading();
  const tokenizer = new Tokenizer({ sourceCodeLocationInfo: true }, reading);
  reading.tokenizer = tokenizer;
  tokenizer.write(html, true);
  return { findings: reading.end(), excess: reading.excess };
}

class BalanceReading {
  tokenizer: Tokenizer;
  excess: string | null = null;
  private readonly stack: OpenTag[] = [];
  private readonly findings: RuleFinding[] = [];
  /** Closing tags that are still to come for tags reported as misnested. */
  private readonly late = new Map<string, number>();
  private tags = 0;
  private foreign = 0;

  onStartTag(token: Token.TagToken): void {
    this.count();
    const { tagName: name, selfClosing } = token;
    this.switchMode(name);
    if (VOID.has(name) || FRAME.has(name)) return;
    if (selfClosing && (name.includes(':') || this.foreign > 0 || name === 'svg' || name === 'math')) return;
    this.closeImplied(name);
    this.stack.push({ name, offset: token.location?.startOffset ?? 0 });
    if (name === 'svg' || name === 'math') this.foreign++;
    if (this.stack.length > DEEPEST) this.stop(`The tags are nested more than ${DEEPEST} deep.`);
  }

  onEndTag(token: Token.TagToken): void {
    this.count();
    const { tagName: name } = token;
    if (VOID.has(name) || FRAME.has(name)) return;
    const at = token.location?.startOffset ?? 0;
    const index = this.findOpen(name);
    if (index >= 0) this.closeTo(index, name, at);
    else this.reportUnopened(name, at);
  }

  /** Reports what is still open at the end of the source. */
  end(): readonly RuleFinding[] {
    // What is open where the reading stopped may be closed later.
    if (this.excess !== null) return this.findings;
    for (const { name, offset } of this.stack) {
      if (!END_OPTIONAL.has(name)) this.report('tag_unclosed', `<${name}> is never closed.`, offset);
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

  /** What stands in these elements is text to a browser. */
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

  private closeTo(index: number, name: string, at: number): void {
    for (const open of this.stack.splice(index).slice(1)) {
      if (open.name === 'svg' || open.name === 'math') this.foreign--;
      if (END_OPTIONAL.has(open.name)) continue;
      this.late.set(open.name, (this.late.get(open.name) ?? 0) + 1);
      this.report('tag_misnested', `</${name}> comes before <${open.name}> is closed.`, at);
    }
    if (name === 'svg' || name === 'math') this.foreign--;
  }

  private reportUnopened(name: string, at: number): void {
    const late = this.late.get(name) ?? 0;
    if (late > 0) this.late.set(name, late - 1);
    else this.report('tag_unopened', `</${name}> closes nothing.`, at);
  }

  private report(rule: RuleFinding['rule'], message: string, at: number): void {
    this.findings.push({ rule, message, at });
  }
}
