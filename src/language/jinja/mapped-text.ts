/**
 * A text assembled from parts of a source and from converted parts, which maps each of its positions to the source:
 * authors see positions in their own source, not in the converted text.
 */
import type { TextOrigin } from '../nlt/tree.js';

/**
 * `exact`: identical to the source, character for character; otherwise generated from the source from `start` to `end`.
 */
interface Segment {
  readonly at: number;
  readonly start: number;
  readonly end: number;
  readonly exact: boolean;
}

/** `masked` text has a mark instead of its opening braces, so that none of it is parsed as an expression. */
export type Masking = 'plain' | 'masked';

export class MappedText {
  private readonly segments: Segment[] = [];
  private readonly texts: string[] = [];
  private length = 0;
  private chosenMark: string | null = null;

  constructor(private readonly source: string) {}

  get content(): string {
    return this.texts.join('');
  }

  /** A character that the source does not contain; null until text is masked. */
  get mark(): string | null {
    return this.chosenMark;
  }

  /** Adds the source from `start` to `end`. */
  addCopy(start: number, end: number, masking: Masking): void {
    this.add({ at: this.length, start, end, exact: true }, this.source.slice(start, end), masking);
  }

  /** Adds `text`, which was generated from the source from `start` to `end`. */
  addGenerated(start: number, end: number, text: string, masking: Masking): void {
    this.add({ at: this.length, start, end, exact: false }, text, masking);
  }

  private add(segment: Segment, text: string, masking: Masking): void {
    if (text === '') return;
    const isMasked = masking === 'masked' && text.includes('{');
    if (isMasked) this.chosenMark ??= unusedCharacter(this.source);
    this.segments.push(segment);
    this.texts.push(isMasked && this.chosenMark !== null ? text.replaceAll('{', this.chosenMark) : text);
    this.length += text.length;
  }

  /** `text`, a part of the content, with its braces restored. */
  unmasked(text: string): string {
    return this.chosenMark === null ? text : text.replaceAll(this.chosenMark, '{');
  }

  /** The source offset of the text at `offset`. */
  sourceOffset(offset: number): number {
    const segment = this.segmentAt(offset);
    if (segment === undefined) return 0;
    return segment.exact ? Math.min(segment.start + offset - segment.at, segment.end) : segment.start;
  }

  /** The source offset after the text that ends at `end`. */
  sourceEnd(end: number): number {
    const segment = this.segmentAt(end - 1);
    if (segment === undefined) return 0;
    return segment.exact ? Math.min(segment.start + end - segment.at, segment.end) : segment.end;
  }

  /** The part of the source that the text at `offset` was generated from; null if it was copied. */
  generatedRangeAt(offset: number): { readonly start: number; readonly end: number } | null {
    const segment = this.segmentAt(offset);
    return segment === undefined || segment.exact ? null : segment;
  }

  /** The source positions of the text from `offset` on, one for each continuous range. */
  originsOf(offset: number, length: number): TextOrigin[] {
    const origins: TextOrigin[] = [];
    let previousEnd = -1;
    for (let index = this.indexAt(offset); ; index++) {
      const segment = this.segments[index];
      if (segment === undefined || segment.at >= offset + length) return origins;
      const at = Math.max(0, segment.at - offset);
      const source = segment.exact ? segment.start + at + offset - segment.at : segment.start;
      if (!segment.exact || source !== previousEnd) origins.push({ at, source, isExact: segment.exact });
      previousEnd = segment.exact ? segment.end : -1;
    }
  }

  private segmentAt(offset: number): Segment | undefined {
    return this.segments[this.indexAt(offset)];
  }

  private indexAt(offset: number): number {
    let low = 0;
    let high = this.segments.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.segments[middle]?.at ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

/** A private-use character that `source` does not contain. */
function unusedCharacter(source: string): string {
  const used = new Set(source.match(/[\ue000-\uffef]/g));
  let code = 0xe000;
  while (used.has(String.fromCharCode(code))) code++;
  return String.fromCharCode(code);
}
