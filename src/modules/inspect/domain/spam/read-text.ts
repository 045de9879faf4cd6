/** Extracts the text of a message as filters read it: joined across its elements, with the positions in the HTML. */
import type { EmailElement, EmailText, ParsedEmail } from '../email/parsed-email.js';

/** Maximum number of characters of a message's text that are read: filters read less. */
export const MAX_READ_LENGTH = 200_000;

export interface ReadText {
  readonly text: string;
  /** The offset in the HTML for an index of the text. */
  offsetOf(index: number): number;
}

interface TextSegment {
  /** Its beginning in the whole text. */
  readonly index: number;
  readonly offset: number;
  /** Whether it is written without entities, so that its characters map one to one to the source. */
  readonly isPlain: boolean;
}

/** Elements within a line. */
const INLINE = new Set(
  'a abbr b bdi bdo cite code del dfn em font i ins kbd label mark q s samp small span strike strong sub sup time tt u var'.split(
    ' ',
  ),
);

/** @param isRead selects the texts; all of them if absent. */
export function readText(email: ParsedEmail, isRead: (text: EmailText) => boolean = () => true): ReadText {
  const blocks = blocksOf(email);
  const breaks = email.elements.filter(({ name }) => name === 'br').map(({ offset }) => offset);
  const segments: TextSegment[] = [];
  const parts: string[] = [];
  let [length, breakIndex] = [0, 0];
  let before: EmailText | undefined;
  for (const each of email.texts) {
    if (length >= MAX_READ_LENGTH) break;
    if (!isRead(each)) continue;
    const previousBreak = breakIndex;
    while ((breaks[breakIndex] ?? Infinity) < each.offset) breakIndex++;
    const isNewLine =
      breakIndex > previousBreak || blocks.get(each.parent) !== (before && blocks.get(before.parent));
    if (isNewLine && before) length += parts[parts.push('\n') - 1]?.length ?? 0;
    const text = each.text.slice(0, MAX_READ_LENGTH - length);
    segments.push({
      index: length,
      offset: each.offset,
      isPlain: email.source.startsWith(text, each.offset),
    });
    parts.push(text);
    length += text.length;
    before = each;
  }
  return { text: parts.join(''), offsetOf: (index) => offsetIn(segments, index) };
}

/** For each element, the nearest block element around it. */
function blocksOf(email: ParsedEmail): ReadonlyMap<EmailElement, EmailElement> {
  const blocks = new Map<EmailElement, EmailElement>();
  for (const element of email.elements) {
    const around = element.parent && blocks.get(element.parent);
    blocks.set(element, around && INLINE.has(element.name) ? around : element);
  }
  return blocks;
}

function offsetIn(segments: readonly TextSegment[], index: number): number {
  let [from, to] = [0, segments.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((segments[middle]?.index ?? 0) <= index) from = middle + 1;
    else to = middle;
  }
  const segment = segments[from - 1];
  if (!segment) return 0;
  return segment.isPlain ? segment.offset + index - segment.index : segment.offset;
}
