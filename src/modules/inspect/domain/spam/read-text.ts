/** Extracts the text of a message as filters read it: joined across its elements, with the positions in the HTML. */
import type { EmailElement, EmailText, ParsedEmail } from '../email/parsed-email.js';

/** Maximum number of characters of a message's text that are read: filters read less. */
export const LONGEST_READ = 200_000;

export interface ReadText {
  readonly text: string;
  /** The offset in the HTML for an index of the text. */
  placeOf(index: number): number;
}

interface Stretch {
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
  const stretches: Stretch[] = [];
  const parts: string[] = [];
  let [length, broken] = [0, 0];
  let before: EmailText | undefined;
  for (const each of email.texts) {
    if (length >= LONGEST_READ) break;
    if (!isRead(each)) continue;
    const passed = broken;
    while ((breaks[broken] ?? Infinity) < each.offset) broken++;
    const isNewLine = broken > passed || blocks.get(each.parent) !== (before && blocks.get(before.parent));
    if (isNewLine && before) length += parts[parts.push('\n') - 1]?.length ?? 0;
    const text = each.text.slice(0, LONGEST_READ - length);
    stretches.push({
      index: length,
      offset: each.offset,
      isPlain: email.source.startsWith(text, each.offset),
    });
    parts.push(text);
    length += text.length;
    before = each;
  }
  return { text: parts.join(''), placeOf: (index) => placeAmong(stretches, index) };
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

function placeAmong(stretches: readonly Stretch[], index: number): number {
  let [from, to] = [0, stretches.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((stretches[middle]?.index ?? 0) <= index) from = middle + 1;
    else to = middle;
  }
  const stretch = stretches[from - 1];
  if (!stretch) return 0;
  return stretch.isPlain ? stretch.offset + index - stretch.index : stretch.offset;
}
