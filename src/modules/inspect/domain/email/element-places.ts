/** Which element's opening tag stands at a place of a parsed email: a finding about an attribute is about its element. */
import type { EmailElement, ParsedEmail } from './parsed-email.js';

export class ElementPlaces {
  /** Written elements by their offset; a parser may repeat one and move it. */
  private readonly sorted: readonly EmailElement[];

  constructor(email: ParsedEmail | null) {
    const written = (email?.elements ?? []).filter(({ isWritten, offset, end }) => isWritten && end > offset);
    const byOffset = new Map(written.map((element) => [element.offset, element]));
    this.sorted = [...byOffset.values()].sort((a, b) => a.offset - b.offset);
  }

  /** The element whose opening tag holds the offset. */
  at(offset: number): EmailElement | undefined {
    let [from, to] = [0, this.sorted.length];
    while (from < to) {
      const middle = (from + to) >>> 1;
      if ((this.sorted[middle]?.offset ?? 0) <= offset) from = middle + 1;
      else to = middle;
    }
    const element = this.sorted[from - 1];
    return element && offset < element.end ? element : undefined;
  }
}
