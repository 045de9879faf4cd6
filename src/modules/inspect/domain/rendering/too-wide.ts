/** Which elements make a page wider than what it is shown in: those to be mended, not those that are stretched by them. Pure. */
import type { Box } from './measured-page.js';

/** CSS pixels that may stick out. */
export const WIDTH_SLACK = 2;
/** Elements around an element that are looked at. */
const MOST_AROUND = 500;

const TABLE_PARTS = new Set(['tbody', 'thead', 'tfoot', 'tr', 'td', 'th']);

/** Whether an element reaches beyond the room that is there, in CSS pixels. */
export function sticksOut({ x, width, name }: Box, room: number): boolean {
  return x + width > room + WIDTH_SLACK && name !== 'html' && name !== 'body';
}

/**
 * The innermost elements that are wide by a width of their own. Where none has one that can be seen, the outermost wide
 * element, or within tables that only adapt to what is in them, the outermost that does not.
 * @param wide elements that stick out, in the order of the document.
 */
export function causesOfWidth(wide: readonly Box[], room: number): readonly Box[] {
  const fixed = new Set(wide.filter((box) => widthOf(box) > room + WIDTH_SLACK));
  const outer = new Set([...fixed].flatMap(around));
  const causes = new Set([...fixed].filter((box) => !outer.has(box)));
  const explained = new Set([...causes].flatMap((box) => [box, ...around(box)]));
  const stretched = new Set(wide.filter((box, index) => isStretched(box, wide, index)));
  for (const box of wide) {
    if (explained.has(box) || stretched.has(box)) continue;
    // What is within a cause follows from it.
    if (around(box).some((other) => causes.has(other))) continue;
    causes.add(box);
  }
  return wide.filter((box) => causes.has(box));
}

function around(box: Box): Box[] {
  const found: Box[] = [];
  for (let outer = box.parent; outer && found.length < MOST_AROUND; outer = outer.parent) found.push(outer);
  return found;
}

/** The width or least width that an element names in pixels; 0 where it names none. */
function widthOf({ attributes, name, width }: Box): number {
  const style = attributes.get('style') ?? '';
  const least = pixels(/(?:^|;)\s*min-width\s*:\s*([^;!]{1,40})/i.exec(style)?.[1]);
  const styled = /(?:^|;)\s*width\s*:\s*([^;!]{1,40})/i.exec(style)?.[1];
  const named = styled === undefined ? attribute(attributes.get('width')) : pixels(styled);
  // An image without any is as wide as it is.
  const own = name === 'img' && styled === undefined && !attributes.has('width') ? width : named;
  // What a max-width or a style sheet has narrowed is not as wide as it says.
  return Math.max(least, Math.min(own, width));
}

function pixels(value: string | undefined): number {
  return Number(/^\s*(\d{1,6}(?:\.\d{1,6})?)px\s*$/i.exec(value ?? '')?.[1] ?? 0);
}

function attribute(value: string | undefined): number {
  return Number(/^\s*(\d{1,6})(?:px)?\s*$/i.exec(value ?? '')?.[1] ?? 0);
}

/** Whether it is part of a table that adapts to its content, and holds something that is wide too. */
function isStretched(box: Box, wide: readonly Box[], index: number): boolean {
  const named = `${box.attributes.get('style') ?? ''};width:${box.attributes.get('width') ?? ''}`;
  const isFluid = box.name === 'table' && /(?:^|;)\s*width\s*:\s*\d{1,3}%/i.test(named);
  if (!isFluid && !TABLE_PARTS.has(box.name)) return false;
  // What is in an element follows it at once.
  const next = wide[index + 1];
  return next !== undefined && (next.parent === box || around(next).includes(box));
}
