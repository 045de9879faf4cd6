/** Converts a template between its two languages, section 4.3: convert. */
import type { Conversion } from './conversion.js';
import { type DetectedLanguage, detectLanguage } from './detect.js';
import { jinja2ToNlt } from './jinja-to-nlt.js';
import { nltToJinja2 } from './nlt-to-jinja.js';

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
