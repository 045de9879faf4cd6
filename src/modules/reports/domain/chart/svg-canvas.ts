/** The SVG drawing surface: shapes, texts and patterns. Escapes every text and shortens every number. */
import {
  symbol,
  symbolCircle,
  symbolCross,
  symbolDiamond,
  symbolSquare,
  symbolStar,
  symbolTriangle,
  symbolWye,
} from 'd3-shape';
import type { ChartColours } from './chart-theme.js';
import { truncateToWidth, xml } from './svg-text.js';

export const FONT_SIZE = 12;

/** By series; the last one is a triangle upside down. */
const SYMBOLS = [
  symbolCircle,
  symbolSquare,
  symbolTriangle,
  symbolDiamond,
  symbolCross,
  symbolStar,
  symbolWye,
  symbolTriangle,
];
const INVERTED_SYMBOL = 7;
const MARKER_AREA = 34;

/** By series: lines within a tile of 8 pixels, so that fills can be distinguished without colour. */
const PATTERNS: readonly (readonly [size: number, angle: number, path: string] | null)[] = [
  null,
  [6, 45, 'M0 3H6'],
  [6, -45, 'M0 3H6'],
  [6, 0, 'M3 0V6'],
  [6, 0, 'M0 3H6'],
  [7, 45, 'M0 3.5H7M3.5 0V7'],
  [5, 0, 'M1.5 2.5H3.5'],
  [10, 45, 'M0 2.5H10M0 5H10'],
];

export interface TextOptions {
  readonly x: number;
  /** The baseline of the text. */
  readonly y: number;
  readonly colour: string;
  readonly anchor?: 'start' | 'middle' | 'end';
  readonly size?: number;
  readonly weight?: number;
  /** Maximum width in pixels; longer text is truncated. */
  readonly maxWidth?: number;
}

export interface Stroke {
  readonly colour: string;
  readonly width?: number;
  readonly dashes?: string;
  readonly opacity?: number;
}

export class SvgCanvas {
  private readonly parts: string[] = [];
  private readonly patterns = new Map<number, string>();

  /** @param id prefix of this drawing's ids; a page may contain several drawings. */
  constructor(
    readonly colours: ChartColours,
    readonly id: string,
  ) {}

  /** Returns everything drawn so far. */
  content(): string {
    const defined = this.patterns.size > 0 ? `<defs>${[...this.patterns.values()].join('')}</defs>` : '';
    return defined + this.parts.join('');
  }

  /** @param index of a series; null for the rest. */
  colourOf(index: number | null): string {
    const { series, rest } = this.colours;
    return index === null ? rest : (series[index % series.length] ?? rest);
  }

  /** The fill of a series' shapes. */
  fillOf(index: number | null): string {
    const pattern = index === null ? null : PATTERNS[index % PATTERNS.length];
    if (index === null || !pattern) return this.colourOf(index);
    const name = `${this.id}-p${index}`;
    if (!this.patterns.has(index)) {
      const [size, angle, path] = pattern;
      const rotation = angle === 0 ? '' : ` patternTransform="rotate(${angle})"`;
      this.patterns.set(
        index,
        `<pattern id="${name}" width="${size}" height="${size}" patternUnits="userSpaceOnUse"${rotation}>` +
          `<rect width="${size}" height="${size}" fill="${this.colourOf(index)}"/>` +
          `<path d="${path}" stroke="${this.colours.ground}" stroke-opacity=".55" stroke-width="1.2"/></pattern>`,
      );
    }
    return `url(#${name})`;
  }

  text(text: string, { x, y, colour, anchor, size, weight, maxWidth }: TextOptions): void {
    const fittedText = maxWidth === undefined ? text : truncateToWidth(text, size ?? FONT_SIZE, maxWidth);
    const attributes = [
      ...(anchor && anchor !== 'start' ? [` text-anchor="${anchor}"`] : []),
      ...(size !== undefined && size !== FONT_SIZE ? [` font-size="${size}"`] : []),
      ...(weight === undefined ? [] : [` font-weight="${weight}"`]),
    ].join('');
    this.parts.push(
      `<text x="${roundCoordinate(x)}" y="${roundCoordinate(y)}" fill="${colour}"${attributes}>${xml(fittedText)}</text>`,
    );
  }

  line(from: readonly [number, number], to: readonly [number, number], stroke: Stroke): void {
    this.parts.push(
      `<path d="M${roundCoordinate(from[0])} ${roundCoordinate(from[1])}L${roundCoordinate(to[0])} ${roundCoordinate(to[1])}"${strokeOf(stroke)}/>`,
    );
  }

  /** Draws a path without fill. */
  path(d: string, stroke: Stroke): void {
    if (d !== '')
      this.parts.push(
        `<path d="${d}" fill="none" stroke-linejoin="round" stroke-linecap="round"${strokeOf(stroke)}/>`,
      );
  }

  /**
   * Draws a filled path.
   * @param tooltip the tooltip.
   */
  shape(d: string, fill: string, { opacity, tooltip, outline }: ShapeStyle = {}): void {
    if (d === '') return;
    const style = `${opacity === undefined ? '' : ` fill-opacity="${opacity}"`}${outline === undefined ? '' : ` stroke="${outline}" stroke-width="1"`}`;
    this.parts.push(`<path d="${d}" fill="${fill}"${style}${closingOf('path', tooltip)}`);
  }

  bar(x: number, y: number, width: number, height: number, fill: string, tooltip?: string): void {
    this.parts.push(
      `<rect x="${roundCoordinate(x)}" y="${roundCoordinate(y)}" width="${roundCoordinate(Math.max(0, width))}" height="${roundCoordinate(Math.max(0, height))}" fill="${fill}"${closingOf('rect', tooltip)}`,
    );
  }

  /** Draws the marker of a series at a point. */
  marker(index: number | null, x: number, y: number, tooltip?: string): void {
    const at = index === null ? 0 : index % SYMBOLS.length;
    const path = symbol(SYMBOLS[at], MARKER_AREA).digits(2)() ?? '';
    const rotation = at === INVERTED_SYMBOL ? ' rotate(180)' : '';
    this.parts.push(
      `<path d="${path}" transform="translate(${roundCoordinate(x)} ${roundCoordinate(y)})${rotation}" fill="${this.colourOf(index)}" stroke="${this.colours.ground}"${closingOf('path', tooltip)}`,
    );
  }

  /** Draws the anomaly marker around a point. */
  mark(x: number, y: number, tooltip?: string): void {
    this.parts.push(
      `<circle cx="${roundCoordinate(x)}" cy="${roundCoordinate(y)}" r="7" fill="none" stroke="${this.colours.mark}" stroke-width="2"${closingOf('circle', tooltip)}`,
    );
  }

  translated(x: number, y: number, draw: () => void): void {
    this.parts.push(`<g transform="translate(${roundCoordinate(x)} ${roundCoordinate(y)})">`);
    draw();
    this.parts.push('</g>');
  }
}

interface ShapeStyle {
  readonly opacity?: number;
  readonly tooltip?: string;
  readonly outline?: string;
}

function closingOf(name: string, tooltip: string | undefined): string {
  return tooltip === undefined ? '/>' : `><title>${xml(tooltip)}</title></${name}>`;
}

function strokeOf({ colour, width = 1, dashes, opacity }: Stroke): string {
  return (
    ` stroke="${colour}" stroke-width="${width}"` +
    (dashes === undefined ? '' : ` stroke-dasharray="${dashes}"`) +
    (opacity === undefined ? '' : ` stroke-opacity="${opacity}"`)
  );
}

/** Rounds a number to at most two decimals. */
export function roundCoordinate(value: number): number {
  return Math.round(value * 100) / 100;
}
