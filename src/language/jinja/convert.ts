/** Detects the language of a template, and converts it to the other one, section 4.3: convert. */
import type { Conversion } from './conversion.js';
import { jinja2ToNlt } from './jinja-to-nlt.js';
import { nltToJinja2 } from './nlt-to-jinja.js';
import { Scanner } from './jinja-scanner.js';

export const DETECTED_LANGUAGES = ['nlt', 'jinja2', 'mixed', 'none'] as const;

export type DetectedLanguage = (typeof DETECTED_LANGUAGES)[number];

export interface Detection {
  readonly language: DetectedLanguage;
  readonly nltCount: number;
  readonly jinja2Count: number;
}

/**
 * Detects which of the two languages a template is written in (section 4.3: detect-language), with the scanner that
 * rendering uses: counts the expressions of each, in time linear in the length of `content`. Never throws.
 *
 * Edge cases:
 * - Every block counts, including tags and comments: `{% if %}…{% endif %}` are two expressions of Jinja2, `{if}…{end
 *   if}` two of NLT. Blocks that start like an expression and do not parse count as well.
 * - A `{#` that is never closed is text (style sheets contain it), and so are `{{the …}}` and three consecutive braces.
 */
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

export const DIRECTIONS = ['jinja2_to_nlt', 'nlt_to_jinja2', 'auto'] as const;
export type Direction = (typeof DIRECTIONS)[number];

/**
 * A conversion with its languages: `sourceLanguage` is the detected one. `auto` treats a template without expressions
 * as NLT.
 */
export interface DirectedConversion extends Conversion {
  readonly sourceLanguage: DetectedLanguage;
  readonly targetLanguage: 'nlt' | 'jinja2';
}

/**
 * Converts `content`. `auto` converts to the language that `content` is not written in; a mix of both becomes NLT.
 * Expressions that are already in the target language stay unchanged. Never throws.
 */
export function convert(content: string, direction: Direction): DirectedConversion {
  const { language } = detectLanguage(content);
  const toJinja2 = direction === 'nlt_to_jinja2' || (direction === 'auto' && language === 'nlt');
  return toJinja2
    ? { ...convertNlt(content, language), sourceLanguage: language, targetLanguage: 'jinja2' }
    : { ...jinja2ToNlt(content), sourceLanguage: language, targetLanguage: 'nlt' };
}

function convertNlt(content: string, language: DetectedLanguage): Conversion {
  if (language === 'jinja2') return { content, count: 0, warnings: [] };
  return nltToJinja2(content, language === 'mixed' ? 'kept' : 'text');
}
