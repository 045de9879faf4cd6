/**
 * Colours by purpose, in light and dark mode, for the pages and the emails of the product. Every text has a contrast of
 * at least 4.5:1 against its background.
 */

export const LIGHT_COLOURS = {
  text: '#1d2430',
  soft: '#566070',
  card: '#ffffff',
  ground: '#f1f3f6',
  line: '#d5dae2',
} as const;

export const DARK_COLOURS = {
  text: '#eceff4',
  soft: '#a9b2c0',
  card: '#1b2029',
  ground: '#10131a',
  line: '#3a4250',
} as const;

/** Buttons and links, and the text on buttons. */
export const LIGHT_ACCENT = { accent: '#1f4fd8', onaccent: '#ffffff' } as const;
export const DARK_ACCENT = { accent: '#8fb0ff', onaccent: '#10131a' } as const;

/** Declares the colours in a style sheet, which refers to each as `--name`. */
export function colourVariables(colours: Readonly<Record<string, string>>): string {
  return Object.entries(colours)
    .map(([name, colour]) => `--${name}:${colour}`)
    .join(';');
}
