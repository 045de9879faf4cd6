/**
 * Finds the content of `{{ … }}`, `{% … %}` and `{# … #}` in a Liquid or Django template, in linear time: each mark
 * that may open, close or invalidate a block is searched once, and only complete blocks are parsed.
 *
 * Edge cases:
 * - A block ends at the first `}}` or `%}`, as in both languages; but Braze's `${name}` may end right before it.
 * - Braze allows `{{ … }}` inside tags: `{% if {{${name}}} == "x" %}`.
 * - A block that is never closed, or is longer than MAX_FOREIGN_BLOCK_LENGTH, is text. So is a `{{` before another one
 *   that is closed.
 */
import { MAX_FOREIGN_BLOCK_LENGTH } from './foreign-limits.js';

export interface BraceBlock {
  readonly kind: 'output' | 'tag' | 'comment';
  readonly start: number;
  readonly end: number;
  /** The content, without the marks of white-space control. */
  readonly inner: string;
  readonly trimBefore: boolean;
  readonly trimAfter: boolean;
}

const END_MARKS = { '{': '}}', '%': '%}', '#': '#}' } as const;
type Opening = keyof typeof END_MARKS;
/** Marks that invalidate the block that contains them. */
const INVALIDATING_MARKS = { '{': ['{{', '{%'], '%': ['{%'], '#': ['\r', '\n'] } as const;
const BLOCK_KINDS = { '{': 'output', '%': 'tag', '#': 'comment' } as const;

export class BraceScanner {
  /** Characters read so far: a measure of work that does not depend on the machine. */
  charactersRead = 0;
  /** The offset of the next occurrence of each mark; the length of the source if there are no more. */
  private readonly nextMarks = new Map<string, number>();
  /** Tags that do not occur any more. */
  private readonly exhaustedTags = new Set<string>();
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

  /** Skips to the end of a text that is not parsed; returns the range of its end tag, null if there is none. */
  skipTo(tagName: string): { readonly start: number; readonly end: number } | null {
    if (this.exhaustedTags.has(tagName)) return null;
    const pattern = new RegExp(`\\{%-?\\s{0,50}${tagName}\\s{0,50}-?%\\}`, 'g');
    pattern.lastIndex = this.position;
    const match = pattern.exec(this.source);
    this.charactersRead += (match === null ? this.source.length : pattern.lastIndex) - this.position;
    if (match === null) {
      this.exhaustedTags.add(tagName);
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
    const found = this.nextMarkFrom(END_MARKS[opening], from);
    if (found === this.source.length || found - start > MAX_FOREIGN_BLOCK_LENGTH) return null;
    // Every mark inside ends before the block does: none extends into its end.
    if (INVALIDATING_MARKS[opening].some((mark) => this.nextMarkFrom(mark, from) + mark.length <= found))
      return null;
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
    return { kind: BLOCK_KINDS[opening], start, end, inner, trimBefore, trimAfter };
  }

  /** The offset of the first `mark` at or after `from`; the length of the source if there are no more. */
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
