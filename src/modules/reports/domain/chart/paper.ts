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
import { fitted, xml } from './svg-text.js';

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
const TURNED = 7;
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

export interface TextPlace {
  readonly x: number;
  /** The baseline of the text. */
  readonly y: number;
  readonly colour: string;
  readonly anchor?: 'start' | 'middle' | 'end';
  readonly size?: number;
  readonly weight?: number;
  /** Maximum width in pixels; longer text is truncated. */
  readonly room?: number;
}

export interface Stroke {
  readonly colour: string;
  readonly width?: number;
  readonly dashes?: string;
  readonly opacity?: number;
}

export class Paper {
  private readonly parts: string[] = [];
  private readonly patterns = new Map<number, string>();

  /** @param id prefix of this drawing's ids; a page may contain several drawings. */
  constructor(
    readonly colours: ChartColours,
    readonly id: string,
  ) {}

  /** Returns everything drawn so far. */
  drawn(): string {
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
      const turn = angle === 0 ? '' : ` patternTransform="rotate(${angle})"`;
      this.patterns.set(
        index,
        `<pattern id="${name}" width="${size}" height="${size}" patternUnits="userSpaceOnUse"${turn}>` +
          `<rect width="${size}" height="${size}" fill="${this.colourOf(index)}"/>` +
          `<path d="${path}" stroke="${this.colours.ground}" stroke-opacity=".55" stroke-width="1.2"/></pattern>`,
      );
    }
    return `url(#${name})`;
  }

  text(text: string, { x, y, colour, anchor, size, weight, room }: TextPlace): void {
    const shown = room === undefined ? text : fitted(text, size ?? FONT_SIZE, room);
    const attributes = [
      ...(anchor && anchor !== 'start' ? [` text-anchor="${anchor}"`] : []),
      ...(size !== undefined && size !== FONT_SIZE ? [` font-size="${size}"`] : []),
      ...(weight === undefined ? [] : [` font-weight="${weight}"`]),
    ].join('');
    this.parts.push(
      `<text x="${short(x)}" y="${short(y)}" fill="${colour}"${attributes}>${xml(shown)}</text>`,
    );
  }

  line(from: readonly [number, number], to: readonly [number, number], stroke: Stroke): void {
    this.parts.push(
      `<path d="M${short(from[0])} ${short(from[1])}L${short(to[0])} ${short(to[1])}"${strokeOf(stroke)}/>`,
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
   * @param words the tooltip.
   */
  shape(d: string, fill: string, { opacity, words, outline }: ShapeLook = {}): void {
    if (d === '') return;
    const look = `${opacity === undefined ? '' : ` fill-opacity="${opacity}"`}${outline === undefined ? '' : ` stroke="${outline}" stroke-width="1"`}`;
    this.parts.push(`<path d="${d}" fill="${fill}"${look}${endOf('path', words)}`);
  }

  bar(x: number, y: number, width: number, height: number, fill: string, words?: string): void {
    this.parts.push(
      `<rect x="${short(x)}" y="${short(y)}" width="${short(Math.max(0, width))}" height="${short(Math.max(0, height))}" fill="${fill}"${endOf('rect', words)}`,
    );
  }

  /** Draws the marker of a series at a point. */
  marker(index: number | null, x: number, y: number, words?: string): void {
    const at = index === null ? 0 : index % SYMBOLS.length;
    const path = symbol(SYMBOLS[at], MARKER_AREA).digits(2)() ?? '';
    const turn = at === TURNED ? ' rotate(180)' : '';
    this.parts.push(
      `<path d="${path}" transform="translate(${short(x)} ${short(y)})${turn}" fill="${this.colourOf(index)}" stroke="${this.colours.ground}"${endOf('path', words)}`,
    );
  }

  /** Draws the anomaly marker around a point. */
  mark(x: number, y: number, words?: string): void {
    this.parts.push(
      `<circle cx="${short(x)}" cy="${short(y)}" r="7" fill="none" stroke="${this.colours.mark}" stroke-width="2"${endOf('circle', words)}`,
    );
  }

  shifted(x: number, y: number, draw: () => void): void {
    this.parts.push(`<g transform="translate(${short(x)} ${short(y)})">`);
    draw();
    this.parts.push('</g>');
  }
}

interface ShapeLook {
  readonly opacity?: number;
  readonly words?: string;
  readonly outline?: string;
}

function endOf(name: string, words: string | undefined): string {
  return words === undefined ? '/>' : `><title>${xml(words)}</title></${name}>`;
}

function strokeOf({ colour, width = 1, dashes, opacity }: Stroke): string {
  return (
    ` stroke="${colour}" stroke-width="${width}"` +
    (dashes === undefined ? '' : ` stroke-dasharray="${dashes}"`) +
    (opacity === undefined ? '' : ` stroke-opacity="${opacity}"`)
  );
}

/** Rounds a number to at most two decimals. */
export function short(value: number): number {
  return Math.round(value * 100) / 100;
}
