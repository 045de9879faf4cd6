/**
 * Finds the element whose opening tag contains a position of a parsed email: a finding about an attribute belongs to
 * its element.
 */
import { countUpTo } from '../../../../kernel/sorted.js';
import type { EmailElement, ParsedEmail } from './parsed-email.js';

export class ElementPositions {
  /** Written elements by their offset; a parser may repeat or move an element. */
  private readonly sorted: readonly EmailElement[];

  constructor(email: ParsedEmail | null) {
    const written = (email?.elements ?? []).filter(({ isWritten, offset, end }) => isWritten && end > offset);
    const byOffset = new Map(written.map((element) => [element.offset, element]));
    this.sorted = [...byOffset.values()].sort((a, b) => a.offset - b.offset);
  }

  /** The element whose opening tag contains the offset. */
  at(offset: number): EmailElement | undefined {
    const element = this.sorted[countUpTo(this.sorted, offset, (each) => each.offset) - 1];
    return element && offset < element.end ? element : undefined;
  }
}
