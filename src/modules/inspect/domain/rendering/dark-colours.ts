/**
 * Simulates clients that invert colors in dark mode, with one deterministic rule: lightness in OKLCH is inverted, hue
 * and chroma stay. No client publishes its rule; this gives their results for the colors of email: white backgrounds
 * become nearly black, black text nearly white, and strong colors keep their hue.
 */
import type { Colour } from '../email/colour.js';
import type { DarkModeBehaviour } from './client-traits.js';

/** The lightness, 0 to 1, that white gets by inversion; black gets 1. */
const MIN_LIGHTNESS = 0.24;
/** Backgrounds of at least this lightness are light; text of at most this lightness is dark. */
const MIN_LIGHT_BACKGROUND = 0.7;
const MAX_DARK_TEXT = 0.55;

/** The page behind a message in dark mode. */
export const DARK_BACKGROUND = '#1f1f1f';
/** The background that a browser gives a page that declares support for dark mode. */
export const DARK_CANVAS: Colour = { red: 18, green: 18, blue: 18, alpha: 1 };
export const DARK_TEXT_COLOUR = '#e8e8e8';

export type ColourRole = 'ground' | 'text';

/** The color that a client shows in dark mode; unchanged if it leaves it. */
export function darkColour(colour: Colour, role: ColourRole, behaviour: DarkModeBehaviour): Colour {
  if (behaviour !== 'partial' && behaviour !== 'full') return colour;
  const { lightness, a, b } = oklabOf(colour);
  const isInverted = role === 'ground' ? lightness >= MIN_LIGHT_BACKGROUND : lightness <= MAX_DARK_TEXT;
  if (behaviour === 'partial' && !isInverted) return colour;
  const inverted = MIN_LIGHTNESS + (1 - lightness) * (1 - MIN_LIGHTNESS);
  return { ...rgbOf(inverted, a, b), alpha: colour.alpha };
}

interface Oklab {
  readonly lightness: number;
  readonly a: number;
  readonly b: number;
}

/** Björn Ottosson’s OKLab. */
function oklabOf({ red, green, blue }: Colour): Oklab {
  const [r, g, b] = [red, green, blue].map(linear) as [number, number, number];
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return {
    lightness: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    a: 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    b: 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  };
}

function rgbOf(lightness: number, a: number, b: number): Omit<Colour, 'alpha'> {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return {
    red: channel(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    green: channel(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    blue: channel(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  };
}

function linear(value: number): number {
  const share = value / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}

function channel(value: number): number {
  const share = value <= 0.0031308 ? 12.92 * value : 1.055 * Math.max(0, value) ** (1 / 2.4) - 0.055;
  return Math.round(Math.min(1, Math.max(0, share)) * 255);
}
