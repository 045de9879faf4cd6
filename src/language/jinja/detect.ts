/**
 * Detects which of the two languages a template is written in (section 4.3: detect-language), with the scanner that
 * rendering uses.
 *
 * Edge cases:
 * - Every block counts, including tags and comments: `{% if %}…{% endif %}` are two expressions of Jinja2, `{if}…{end
 *   if}` two of NLT. Blocks that start like an expression and do not parse count as well.
 * - A `{#` that is never closed is text (style sheets contain it), and so are `{{the …}}` and three consecutive braces.
 */
import { Scanner } from './jinja-scanner.js';

export const DETECTED_LANGUAGES = ['nlt', 'jinja2', 'mixed', 'none'] as const;

export type DetectedLanguage = (typeof DETECTED_LANGUAGES)[number];

export interface Detection {
  readonly language: DetectedLanguage;
  readonly nltCount: number;
  readonly jinja2Count: number;
}

/** Counts the expressions of each language; time is linear in the length of `content`. Never throws. */
export function detectLanguage(content: string): Detection {
  let nltCount = 0;
  let jinja2Count = 0;
  for (const { kind } of new Scanner(content, null).blocks()) {
    if (kind === 'nlt') nltCount++;
    else jinja2Count++;
  }
  return { language: languageOf(nltCount, jinja2Count), nltCount, jinja2Count };
}

function languageOf(nltCount: number, jinja2Count: number): DetectedLanguage {
  if (nltCount > 0) return jinja2Count > 0 ? 'mixed' : 'nlt';
  return jinja2Count > 0 ? 'jinja2' : 'none';
}
