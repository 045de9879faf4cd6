/** Reads a page that a browser has laid out from its snapshot: boxes and texts with their computed styles. */
import { readColour, blend, WHITE, type Colour } from '../email/colour.js';

/** The part of a snapshot that is read here; the platform's browser provides it. */
export interface PageSnapshotLike {
  readonly strings: readonly string[];
  readonly documents: readonly {
    readonly contentWidth?: number;
    readonly contentHeight?: number;
    readonly nodes: {
      readonly parentIndex?: readonly number[];
      readonly nodeType?: readonly number[];
      readonly nodeName?: readonly number[];
      readonly attributes?: readonly (readonly number[])[];
    };
    readonly layout: {
      readonly nodeIndex: readonly number[];
      readonly styles: readonly (readonly number[])[];
      readonly bounds: readonly (readonly number[])[];
      readonly text: readonly number[];
      readonly scrollRects?: readonly (readonly number[])[];
      readonly clientRects?: readonly (readonly number[])[];
    };
  }[];
}

/** The styles to request for a snapshot, in this order. */
export const MEASURED_STYLES = [
  'color',
  'background-color',
  'background-image',
  'font-size',
  'visibility',
  'opacity',
  'overflow-y',
] as const;
type MeasuredStyle = (typeof MEASURED_STYLES)[number];

/** Maximum number of boxes of a page that are read. */
const MAX_BOXES = 5_000;

export interface Box {
  /** Lower case; `#text` for a text. */
  readonly name: string;
  /** Offset in the rendered HTML of the element, or of the one around it; null if neither has one. */
  readonly offset: number | null;
  readonly parent: Box | null;
  readonly attributes: ReadonlyMap<string, string>;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly text: string;
  readonly style: (name: MeasuredStyle) => string;
  /** Whether it is visible: it has a size, and is neither hidden nor transparent. */
  readonly visible: boolean;
  /** The color behind its text; null if that is an image or a gradient. */
  readonly ground: Colour | null;
  /** The color behind its text while images are blocked; null if unknown. */
  readonly groundWithoutImages: Colour | null;
  /** Its full height and its visible height; null if it does not scroll. */
  readonly scroll: { readonly fullHeight: number; readonly visibleHeight: number } | null;
}

export interface MeasuredPage {
  readonly width: number;
  readonly height: number;
  readonly boxes: readonly Box[];
  /** Whether there were more boxes than the limit. */
  readonly isTruncated: boolean;
}

const TEXT_NODE = 3;

/** @param canvas the color behind the page. */
export function measuredPage(snapshot: PageSnapshotLike, canvas: Colour = WHITE): MeasuredPage {
  const [document] = snapshot.documents;
  if (!document) return { width: 0, height: 0, boxes: [], isTruncated: false };
  const { nodes, layout } = document;
  const stringAt = (index: number | undefined): string => snapshot.strings[index ?? -1] ?? '';
  const boxOfNode = new Map<number, Box>();
  const boxes: Box[] = [];
  const parentBoxOf = (node: number): Box | null => {
    let parent = nodes.parentIndex?.[node] ?? -1;
    for (let steps = 0; parent >= 0 && steps < 1_000; steps++) {
      const box = boxOfNode.get(parent);
      if (box) return box;
      parent = nodes.parentIndex?.[parent] ?? -1;
    }
    return null;
  };
  const count = Math.min(layout.nodeIndex.length, MAX_BOXES);
  for (let index = 0; index < count; index++) {
    const node = layout.nodeIndex[index] ?? -1;
    const isText = nodes.nodeType?.[node] === TEXT_NODE;
    const parent = parentBoxOf(node);
    const attributes = new Map<string, string>();
    const written = nodes.attributes?.[node] ?? [];
    for (let each = 0; each + 1 < written.length; each += 2)
      attributes.set(stringAt(written[each]), stringAt(written[each + 1]));
    const own = layout.styles[index];
    const styles = own && own.length > 0 ? own.map(stringAt) : null;
    const style = (name: MeasuredStyle): string =>
      styles ? (styles[MEASURED_STYLES.indexOf(name)] ?? '') : (parent?.style(name) ?? '');
    const [x = 0, y = 0, width = 0, height = 0] = layout.bounds[index] ?? [];
    const offset = Number(attributes.get('data-wp') ?? NaN);
    const hidden = style('visibility') === 'hidden' || (styles !== null && Number(style('opacity')) < 0.1);
    const isCollapsed = !isText && height < 1 && style('overflow-y') !== 'visible';
    const fullHeight = layout.scrollRects?.[index]?.[3];
    const visibleHeight = layout.clientRects?.[index]?.[3];
    const box: Box = {
      name: isText ? '#text' : stringAt(nodes.nodeName?.[node]).toLowerCase(),
      offset: Number.isInteger(offset) ? offset : (parent?.offset ?? null),
      parent,
      attributes,
      x,
      y,
      width,
      height,
      text: stringAt(layout.text[index]),
      style,
      visible: !hidden && !isCollapsed && (parent?.visible ?? true),
      ...(isText ? inheritedBackgrounds(parent) : ownBackgrounds(parent, style, canvas)),
      scroll: fullHeight === undefined || visibleHeight === undefined ? null : { fullHeight, visibleHeight },
    };
    boxes.push(box);
    if (!boxOfNode.has(node)) boxOfNode.set(node, box);
  }
  return {
    width: document.contentWidth ?? 0,
    height: document.contentHeight ?? 0,
    boxes,
    isTruncated: layout.nodeIndex.length > count,
  };
}

type Backgrounds = Pick<Box, 'ground' | 'groundWithoutImages'>;

function inheritedBackgrounds(parent: Box | null): Backgrounds {
  return { ground: parent?.ground ?? null, groundWithoutImages: parent?.groundWithoutImages ?? null };
}

function ownBackgrounds(
  parent: Box | null,
  style: (name: MeasuredStyle) => string,
  canvas: Colour,
): Backgrounds {
  const colour = readColour(style('background-color'));
  const image = style('background-image');
  const behind = parent ? parent.ground : canvas;
  const behindWithout = parent ? parent.groundWithoutImages : canvas;
  const blended = (background: Colour | null): Colour | null => {
    // The root has no styles.
    if (style('background-color') === '') return background;
    if (!colour) return null;
    return colour.alpha === 1 ? colour : background && blend(colour, background);
  };
  if (image === '' || image === 'none')
    return { ground: blended(behind), groundWithoutImages: blended(behindWithout) };
  // Gradients are always drawn; only loaded images can be blocked.
  return { ground: null, groundWithoutImages: image.includes('gradient(') ? null : blended(behindWithout) };
}
