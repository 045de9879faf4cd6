/** Finds the elements that make a page wider than its viewport: those to fix, not those that they stretch. Pure. */
import type { Box } from './measured-page.js';

/** The tolerated overflow, in CSS pixels. */
export const WIDTH_TOLERANCE_PX = 2;
/** Maximum number of ancestors of an element that are checked. */
const MAX_ANCESTORS = 500;

const TABLE_PARTS = new Set(['tbody', 'thead', 'tfoot', 'tr', 'td', 'th']);

/** Whether an element reaches beyond the available width, in CSS pixels. */
export function overflows({ x, width, name }: Box, availableWidth: number): boolean {
  return x + width > availableWidth + WIDTH_TOLERANCE_PX && name !== 'html' && name !== 'body';
}

/**
 * The innermost elements that are too wide because of their own width. If no visible element has one: the outermost
 * wide element, or within tables that adapt to their content, the outermost element that does not.
 * @param wide elements that overflow, in the order of the document.
 */
export function overflowCauses(wide: readonly Box[], availableWidth: number): readonly Box[] {
  const fixed = new Set(wide.filter((box) => widthOf(box) > availableWidth + WIDTH_TOLERANCE_PX));
  const outer = new Set([...fixed].flatMap(ancestorsOf));
  const causes = new Set([...fixed].filter((box) => !outer.has(box)));
  const explained = new Set([...causes].flatMap((box) => [box, ...ancestorsOf(box)]));
  const stretched = new Set(wide.filter((box, index) => isStretched(box, wide, index)));
  for (const box of wide) {
    if (explained.has(box) || stretched.has(box)) continue;
    // Elements within a cause are wide because of it.
    if (ancestorsOf(box).some((other) => causes.has(other))) continue;
    causes.add(box);
  }
  return wide.filter((box) => causes.has(box));
}

function ancestorsOf(box: Box): Box[] {
  const found: Box[] = [];
  for (let outer = box.parent; outer && found.length < MAX_ANCESTORS; outer = outer.parent) found.push(outer);
  return found;
}

/** The width or minimum width that an element specifies, in pixels; 0 if it specifies none. */
function widthOf({ attributes, name, width }: Box): number {
  const style = attributes.get('style') ?? '';
  const minWidth = pixels(/(?:^|;)\s*min-width\s*:\s*([^;!]{1,40})/i.exec(style)?.[1]);
  const styled = /(?:^|;)\s*width\s*:\s*([^;!]{1,40})/i.exec(style)?.[1];
  const named = styled === undefined ? attribute(attributes.get('width')) : pixels(styled);
  // An image without a specified width has its natural width.
  const own = name === 'img' && styled === undefined && !attributes.has('width') ? width : named;
  // An element narrowed by a max-width or a style sheet is not as wide as specified.
  return Math.max(minWidth, Math.min(own, width));
}

function pixels(value: string | undefined): number {
  return Number(/^\s*(\d{1,6}(?:\.\d{1,6})?)px\s*$/i.exec(value ?? '')?.[1] ?? 0);
}

function attribute(value: string | undefined): number {
  return Number(/^\s*(\d{1,6})(?:px)?\s*$/i.exec(value ?? '')?.[1] ?? 0);
}

/** Whether it is part of a table that adapts to its content, and contains another wide element. */
function isStretched(box: Box, wide: readonly Box[], index: number): boolean {
  const named = `${box.attributes.get('style') ?? ''};width:${box.attributes.get('width') ?? ''}`;
  const isFluid = box.name === 'table' && /(?:^|;)\s*width\s*:\s*\d{1,3}%/i.test(named);
  if (!isFluid && !TABLE_PARTS.has(box.name)) return false;
  // The content of an element follows it immediately.
  const next = wide[index + 1];
  return next !== undefined && (next.parent === box || ancestorsOf(next).includes(box));
}
