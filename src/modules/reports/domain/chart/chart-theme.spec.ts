import { CHART_VARIABLES, type ChartColours, coloursOf, DARK, LIGHT } from './chart-theme.js';
import { MAX_SERIES } from './chart-model.js';

type Colour = readonly [red: number, green: number, blue: number];

/** How people see who lack one of the three kinds of cones, in linear RGB: Machado, Oliveira and Fernandes, 2009. */
const EYES: Readonly<Record<string, readonly [Colour, Colour, Colour]>> = {
  usual: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};
/** Distance in OKLab; 0.02 is just noticeable when colours are adjacent. */
const APART = 0.08;

const THEMES: readonly (readonly [string, ChartColours])[] = [
  ['light', LIGHT],
  ['dark', DARK],
];

describe.each(THEMES)('%s', (_name, colours) => {
  test('has a colour for each series', () => expect(colours.series).toHaveLength(MAX_SERIES));

  test('series, the rest and marks stand out from the ground: 3:1', () => {
    for (const colour of [...colours.series, colours.rest, colours.mark])
      expect([colour, contrast(colour, colours.ground) >= 3]).toEqual([colour, true]);
  });

  test('text can be read: 4.5:1', () => {
    for (const colour of [colours.text, colours.soft])
      expect([colour, contrast(colour, colours.ground) >= 4.5]).toEqual([colour, true]);
  });

  test.each(Object.entries(EYES))('series are told apart by eyes with %s', (_eyes, matrix) => {
    const seen = colours.series.map((colour) => oklab(through(matrix, linear(colour))));
    seen.forEach((one, index) =>
      seen.slice(0, index).forEach((other, before) => {
        const distance = Math.hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2]);
        expect([before, index, distance >= APART]).toEqual([before, index, true]);
      }),
    );
  });
});

test('a page sets every variable that charts of it ask for, in light and in dark', () => {
  const { series, ...others } = coloursOf('auto');
  const asked = [...series, ...Object.values(others)].map(
    (colour) => /^var\((--[\w-]+),#[\da-f]{6}\)$/.exec(colour)?.[1],
  );
  for (const declared of Object.values(CHART_VARIABLES)) {
    const names = declared.split(';').map((declaration) => declaration.split(':')[0]);
    expect(names.toSorted()).toEqual(asked.toSorted());
  }
});

function linear(colour: string): Colour {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return [red, green, blue];
}

function through(matrix: readonly [Colour, Colour, Colour], [red, green, blue]: Colour): Colour {
  const [r, g, b] = matrix.map(([x, y, z]) => Math.min(1, Math.max(0, x * red + y * green + z * blue)));
  return [r ?? 0, g ?? 0, b ?? 0];
}

function oklab([red, green, blue]: Colour): Colour {
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

/** The formula of WCAG 2.2. */
function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: string): number {
  const [red, green, blue] = linear(colour);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
