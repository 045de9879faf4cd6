/**
 * Finds what stands in `{{ … }}`, `{% … %}` and `{# … #}` in a template of Liquid's or Django's, in linear time: each
 * mark that may open, close or spoil a block is looked for once, and only a whole block is looked into.
 *
 * Dark corners:
 * - A block ends at the first `}}` or `%}`, as in both languages; but Braze's `${name}` may end right before it.
 * - Braze has `{{ … }}` inside of tags: `{% if {{${name}}} == "x" %}`.
 * - What is never closed, or is longer than MAX_FOREIGN_BLOCK, is text. So is a `{{` before another one that is closed.
 */
import { MAX_FOREIGN_BLOCK } from './foreign-limits.js';

export interface BraceBlock {
  readonly kind: 'output' | 'tag' | 'comment';
  readonly start: number;
  readonly end: number;
  /** What stands inside, without the marks of white-space control. */
  readonly inner: string;
  readonly trimBefore: boolean;
  readonly trimAfter: boolean;
}

const ENDS = { '{': '}}', '%': '%}', '#': '#}' } as const;
type Opening = keyof typeof ENDS;
/** What may not stand inside of a block. */
const SPOILS = { '{': ['{{', '{%'], '%': ['{%'], '#': ['\r', '\n'] } as const;
const KINDS = { '{': 'output', '%': 'tag', '#': 'comment' } as const;

export class BraceScanner {
  /** Characters looked at so far: a measure of work that does not depend on the machine. */
  charactersRead = 0;
  /** Where the next one of each mark stands; the length of the source where there is none any more. */
  private readonly nextMarks = new Map<string, number>();
  /** Tags of which there are none any more. */
  private readonly ended = new Set<string>();
  private position = 0;

  /** @param hasComments whether `{# … #}` on one line is a comment. */
  constructor(
    private readonly source: string,
    private readonly hasComments: boolean,
  ) {}

  /** The next block; null when there is none. */
  next(): BraceBlock | null {
    for (;;) {
      const start = this.nextMarkFrom('{', this.position);
      if (start === this.source.length) return null;
      const opening = this.openingAt(start + 1);
      const block = opening === null ? null : this.read(start, opening);
      this.position = block?.end ?? start + 1;
      if (block !== null) return block;
    }
  }

  /** Goes to the end of a text that is not read; returns where its end tag begins and ends, null when it has none. */
  skipTo(tagName: string): { readonly start: number; readonly end: number } | null {
    if (this.ended.has(tagName)) return null;
    const pattern = new RegExp(`\\{%-?\\s{0,50}${tagName}\\s{0,50}-?%\\}`, 'g');
    pattern.lastIndex = this.position;
    const match = pattern.exec(this.source);
    this.charactersRead += (match === null ? this.source.length : pattern.lastIndex) - this.position;
    if (match === null) {
      this.ended.add(tagName);
      return null;
    }
    this.position = pattern.lastIndex;
    return { start: match.index, end: pattern.lastIndex };
  }

  private openingAt(offset: number): Opening | null {
    const character = this.source[offset];
    if (character === '{' || character === '%') return character;
    return character === '#' && this.hasComments ? character : null;
  }

  private read(start: number, opening: Opening): BraceBlock | null {
    const from = start + 2;
    const found = this.nextMarkFrom(ENDS[opening], from);
    if (found === this.source.length || found - start > MAX_FOREIGN_BLOCK) return null;
    // Every mark inside ends before the block does: none of them reaches into its end.
    if (SPOILS[opening].some((mark) => this.nextMarkFrom(mark, from) + mark.length <= found)) return null;
    this.charactersRead += found - start;
    let written = this.source.slice(from, found);
    let end = found + 2;
    const isBraze = written.lastIndexOf('${') > written.lastIndexOf('}') && this.source[end] === '}';
    if (isBraze && opening === '{') {
      written += '}';
      end++;
    }
    const trimBefore = opening !== '#' && written.startsWith('-');
    const trimAfter = opening !== '#' && written.length > 1 && written.endsWith('-');
    const inner = written.slice(trimBefore ? 1 : 0, trimAfter ? -1 : undefined);
    return { kind: KINDS[opening], start, end, inner, trimBefore, trimAfter };
  }

  /** Where the first `mark` at or behind `from` begins; the length of the source where there is none. */
  private nextMarkFrom(mark: string, from: number): number {
    const known = this.nextMarks.get(mark);
    if (known !== undefined && known >= from) return known;
    const found = this.source.indexOf(mark, from);
    const next = found < 0 ? this.source.length : found;
    this.charactersRead += next - from + 1;
    this.nextMarks.set(mark, next);
    return next;
  }
}
