/**
 * Chart colours. Series colours are distinguishable with colour vision deficiency too, and contrast with the
 * background; markers and patterns carry the same information without colour.
 */
import { DARK_COLOURS, LIGHT_COLOURS } from '../../../../kernel/page-colours.js';

export interface ChartColours {
  readonly ground: string;
  readonly text: string;
  readonly soft: string;
  readonly line: string;
  readonly rest: string;
  readonly mark: string;
  readonly series: readonly string[];
}

export const LIGHT: ChartColours = {
  ground: LIGHT_COLOURS.card,
  text: LIGHT_COLOURS.text,
  soft: LIGHT_COLOURS.soft,
  line: LIGHT_COLOURS.line,
  rest: '#8a8f98',
  mark: LIGHT_COLOURS.text,
  series: ['#2a45c8', '#b8500a', '#1aa090', '#86146a', '#4c1f00', '#0a7aa0', '#9c78f0', '#b38722'],
};

export const DARK: ChartColours = {
  ground: DARK_COLOURS.card,
  text: DARK_COLOURS.text,
  soft: DARK_COLOURS.soft,
  line: DARK_COLOURS.line,
  rest: '#8e95a1',
  mark: DARK_COLOURS.text,
  series: ['#3d86f5', '#f0803c', '#6ff2dc', '#d898b4', '#b8551a', '#6cc6ff', '#8f6fa8', '#e7e56a'],
};

export type ChartTheme = 'light' | 'dark' | 'auto';

/**
 * Returns the colours of a theme. For `auto`, these are CSS variables that CHART_VARIABLES sets; unset ones are light.
 */
export function coloursOf(theme: ChartTheme): ChartColours {
  if (theme !== 'auto') return theme === 'dark' ? DARK : LIGHT;
  const variable = (name: string, fallback: string): string => `var(--chart-${name},${fallback})`;
  return {
    ground: variable('ground', LIGHT.ground),
    text: variable('text', LIGHT.text),
    soft: variable('soft', LIGHT.soft),
    line: variable('line', LIGHT.line),
    rest: variable('rest', LIGHT.rest),
    mark: variable('mark', LIGHT.mark),
    series: LIGHT.series.map((colour, index) => variable(String(index + 1), colour)),
  };
}

/** CSS declarations for a page that shows charts with the theme `auto`. */
export const CHART_VARIABLES = { light: declarations(LIGHT), dark: declarations(DARK) } as const;

function declarations({ series, ...colours }: ChartColours): string {
  return [...Object.entries(colours), ...series.map((colour, index) => [String(index + 1), colour] as const)]
    .map(([name, colour]) => `--chart-${name}:${colour}`)
    .join(';');
}
