/**
 * Parses colors as CSS and HTML write them, and computes the contrast between two of them by WCAG 2.2, success
 * criterion 1.4.3.
 */

/** Red, green and blue from 0 to 255, alpha from 0 to 1. */
export interface Colour {
  readonly red: number;
  readonly green: number;
  readonly blue: number;
  readonly alpha: number;
}

export const BLACK: Colour = { red: 0, green: 0, blue: 0, alpha: 1 };
export const WHITE: Colour = { red: 255, green: 255, blue: 255, alpha: 1 };

/** The named colors of CSS. */
const NAMED =
  'aliceblue f0f8ff antiquewhite faebd7 aqua 00ffff aquamarine 7fffd4 azure f0ffff beige f5f5dc bisque ffe4c4 black 000000 ' +
  'blanchedalmond ffebcd blue 0000ff blueviolet 8a2be2 brown a52a2a burlywood deb887 cadetblue 5f9ea0 chartreuse 7fff00 ' +
  'chocolate d2691e coral ff7f50 cornflowerblue 6495ed cornsilk fff8dc crimson dc143c cyan 00ffff darkblue 00008b ' +
  'darkcyan 008b8b darkgoldenrod b8860b darkgray a9a9a9 darkgreen 006400 darkgrey a9a9a9 darkkhaki bdb76b ' +
  'darkmagenta 8b008b darkolivegreen 556b2f darkorange ff8c00 darkorchid 9932cc darkred 8b0000 darksalmon e9967a ' +
  'darkseagreen 8fbc8f darkslateblue 483d8b darkslategray 2f4f4f darkslategrey 2f4f4f darkturquoise 00ced1 ' +
  'darkviolet 9400d3 deeppink ff1493 deepskyblue 00bfff dimgray 696969 dimgrey 696969 dodgerblue 1e90ff ' +
  'firebrick b22222 floralwhite fffaf0 forestgreen 228b22 fuchsia ff00ff gainsboro dcdcdc ghostwhite f8f8ff ' +
  'gold ffd700 goldenrod daa520 gray 808080 green 008000 greenyellow adff2f grey 808080 honeydew f0fff0 ' +
  'hotpink ff69b4 indianred cd5c5c indigo 4b0082 ivory fffff0 khaki f0e68c lavender e6e6fa lavenderblush fff0f5 ' +
  'lawngreen 7cfc00 lemonchiffon fffacd lightblue add8e6 lightcoral f08080 lightcyan e0ffff ' +
  'lightgoldenrodyellow fafad2 lightgray d3d3d3 lightgreen 90ee90 lightgrey d3d3d3 lightpink ffb6c1 ' +
  'lightsalmon ffa07a lightseagreen 20b2aa lightskyblue 87cefa lightslategray 778899 lightslategrey 778899 ' +
  'lightsteelblue b0c4de lightyellow ffffe0 lime 00ff00 limegreen 32cd32 linen faf0e6 magenta ff00ff maroon 800000 ' +
  'mediumaquamarine 66cdaa mediumblue 0000cd mediumorchid ba55d3 mediumpurple 9370db mediumseagreen 3cb371 ' +
  'mediumslateblue 7b68ee mediumspringgreen 00fa9a mediumturquoise 48d1cc mediumvioletred c71585 midnightblue 191970 ' +
  'mintcream f5fffa mistyrose ffe4e1 moccasin ffe4b5 navajowhite ffdead navy 000080 oldlace fdf5e6 olive 808000 ' +
  'olivedrab 6b8e23 orange ffa500 orangered ff4500 orchid da70d6 palegoldenrod eee8aa palegreen 98fb98 ' +
  'paleturquoise afeeee palevioletred db7093 papayawhip ffefd5 peachpuff ffdab9 peru cd853f pink ffc0cb plum dda0dd ' +
  'powderblue b0e0e6 purple 800080 rebeccapurple 663399 red ff0000 rosybrown bc8f8f royalblue 4169e1 ' +
  'saddlebrown 8b4513 salmon fa8072 sandybrown f4a460 seagreen 2e8b57 seashell fff5ee sienna a0522d silver c0c0c0 ' +
  'skyblue 87ceeb slateblue 6a5acd slategray 708090 slategrey 708090 snow fffafa springgreen 00ff7f steelblue 4682b4 ' +
  'tan d2b48c teal 008080 thistle d8bfd8 tomato ff6347 turquoise 40e0d0 violet ee82ee wheat f5deb3 white ffffff ' +
  'whitesmoke f5f5f5 yellow ffff00 yellowgreen 9acd32';
const NAMES: ReadonlyMap<string, string> = new Map(
  [...NAMED.matchAll(/([a-z]+) ([0-9a-f]{6})/g)].map(([, name = '', hex = '']) => [name, hex]),
);

/** Reads a color of CSS; null if it is not a color, or not a fixed one (variables, `inherit`, `currentcolor`). */
export function readColour(text: string): Colour | null {
  const value = text.trim().toLowerCase();
  if (value === 'transparent') return { ...BLACK, alpha: 0 };
  const hex = value.startsWith('#') ? value.slice(1) : NAMES.get(value);
  if (hex !== undefined) return readHex(hex);
  const call = /^(rgba?|hsla?)\(([^()]{1,100})\)$/.exec(value);
  if (!call) return null;
  const parts = (call[2] ?? '').split(/[\s,/]+/).filter((part) => part !== '');
  if (parts.length < 3 || parts.length > 4) return null;
  const alpha = readPart(parts[3] ?? '1', 1);
  const colour = call[1]?.startsWith('rgb') ? readRgb(parts) : readHsl(parts);
  return colour && alpha !== null ? { ...colour, alpha: clamp(alpha, 1) } : null;
}

/** Reads a color of an HTML attribute (`bgcolor`), which may lack the `#`. */
export function readAttributeColour(text: string): Colour | null {
  return readColour(text) ?? readHex(text.trim().toLowerCase());
}

function readHex(hex: string): Colour | null {
  if (!/^([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/.test(hex)) return null;
  const long = hex.length < 6 ? [...hex].map((digit) => digit + digit).join('') : hex;
  const at = (index: number): number => Number.parseInt(long.slice(index, index + 2), 16);
  return { red: at(0), green: at(2), blue: at(4), alpha: long.length === 8 ? at(6) / 255 : 1 };
}

/** A number, or a percentage of `whole`. */
function readPart(text: string, whole: number): number | null {
  const match = /^([+-]?(?:\d+(?:\.\d*)?|\.\d+))(%?)$/.exec(text);
  return match ? (match[2] === '%' ? (Number(match[1]) / 100) * whole : Number(match[1])) : null;
}

function readRgb(parts: readonly string[]): Colour | null {
  const [red = null, green = null, blue = null] = parts.map((part) => readPart(part, 255));
  if (red === null || green === null || blue === null) return null;
  return { red: clamp(red, 255), green: clamp(green, 255), blue: clamp(blue, 255), alpha: 1 };
}

function readHsl([angle = '', first = '', second = '']: readonly string[]): Colour | null {
  const hue = readPart(angle.replace(/deg$/, ''), 360);
  const saturation = readPart(first, 1);
  const lightness = readPart(second, 1);
  if (hue === null || saturation === null || lightness === null) return null;
  if (!first.endsWith('%') || !second.endsWith('%')) return null;
  const light = clamp(lightness, 1);
  const reach = clamp(saturation, 1) * Math.min(light, 1 - light);
  const channel = (offset: number): number => {
    const turn = (((offset + hue / 30) % 12) + 12) % 12;
    return 255 * (light - reach * Math.max(-1, Math.min(turn - 3, 9 - turn, 1)));
  };
  return { red: channel(0), green: channel(8), blue: channel(4), alpha: 1 };
}

function clamp(value: number, max: number): number {
  return Math.min(max, Math.max(0, value));
}

/** A color as it appears on top of an opaque one. */
export function blend(colour: Colour, background: Colour): Colour {
  const mix = (over: number, under: number): number => over * colour.alpha + under * (1 - colour.alpha);
  return {
    red: mix(colour.red, background.red),
    green: mix(colour.green, background.green),
    blue: mix(colour.blue, background.blue),
    alpha: 1,
  };
}

/** The contrast of two opaque colors, 1 to 21. */
export function contrastOf(one: Colour, other: Colour): number {
  const [bright = 1, dark = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => b - a);
  return (bright + 0.05) / (dark + 0.05);
}

function luminanceOf({ red, green, blue }: Colour): number {
  const linear = (channel: number): number => {
    const value = channel / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

/** As `#rrggbb`. */
export function hexOf({ red, green, blue }: Colour): string {
  return `#${[red, green, blue].map((channel) => Math.round(channel).toString(16).padStart(2, '0')).join('')}`;
}
