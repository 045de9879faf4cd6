/**
 * Chart colours. Series colours are distinguishable with colour vision deficiency too, and contrast with the
 * background; markers and patterns carry the same information without colour.
 */

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
  ground: '#ffffff',
  text: '#1d2430',
  soft: '#566070',
  line: '#d5dae2',
  rest: '#8a8f98',
  mark: '#1d2430',
  series: ['#2a45c8', '#b8500a', '#1aa090', '#86146a', '#4c1f00', '#0a7aa0', '#9c78f0', '#b38722'],
};

export const DARK: ChartColours = {
  ground: '#1b2029',
  text: '#eceff4',
  soft: '#a9b2c0',
  line: '#3a4250',
  rest: '#8e95a1',
  mark: '#eceff4',
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
