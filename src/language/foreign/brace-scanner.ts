/**
 * Finds what stands in `{{ … }}`, `{% … %}` and `{# … #}` in a template of Liquid's or Django's, in linear time.
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
const KINDS = { '{': 'output', '%': 'tag', '#': 'comment' } as const;

export class BraceScanner {
  private readonly nextEnds = new Map<Opening, number>();
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
      const start = this.source.indexOf('{', this.position);
      if (start < 0) return null;
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
    const found = this.endFrom(start + 2, opening);
    if (found < 0 || found - start > MAX_FOREIGN_BLOCK) return null;
    let written = this.source.slice(start + 2, found);
    let end = found + 2;
    const isBraze = written.lastIndexOf('${') > written.lastIndexOf('}') && this.source[end] === '}';
    if (isBraze && opening === '{') {
      written += '}';
      end++;
    }
    if (opening === '#' && /[\r\n]/.test(written)) return null;
    if (opening === '{' && /\{[{%]/.test(written)) return null;
    if (opening === '%' && written.includes('{%')) return null;
    const trimBefore = opening !== '#' && written.startsWith('-');
    const trimAfter = opening !== '#' && written.length > 1 && written.endsWith('-');
    const inner = written.slice(trimBefore ? 1 : 0, trimAfter ? -1 : undefined);
    return { kind: KINDS[opening], start, end, inner, trimBefore, trimAfter };
  }

  /** Where the first end at or behind `from` begins, -1 when there is none; each is looked for once. */
  private endFrom(from: number, opening: Opening): number {
    const known = this.nextEnds.get(opening);
    if (known !== undefined && (known < 0 || known >= from)) return known;
    const found = this.source.indexOf(ENDS[opening], from);
    this.nextEnds.set(opening, found);
    return found;
  }
}
