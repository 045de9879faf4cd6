/** Converts a template from one of its two languages to the other, section 4.3: convert. */
import type { Conversion } from './conversion.js';
import { type DetectedLanguage, detectLanguage } from './detect.js';
import { jinja2ToNlt } from './jinja-to-nlt.js';
import { nltToJinja2 } from './nlt-to-jinja.js';

export const DIRECTIONS = ['jinja2_to_nlt', 'nlt_to_jinja2', 'auto'] as const;
export type Direction = (typeof DIRECTIONS)[number];

/**
 * A conversion and the languages it went between: `sourceLanguage` is what detection finds. `auto` takes what holds
 * no expression for NLT already.
 */
export interface DirectedConversion extends Conversion {
  readonly sourceLanguage: DetectedLanguage;
  readonly targetLanguage: 'nlt' | 'jinja2';
}

/**
 * Converts `content`. `auto` goes to the language that `content` is not written in; what mixes both becomes NLT. What
 * is in the target language already stays. Never throws.
 */
export function convert(content: string, direction: Direction): DirectedConversion {
  const { language } = detectLanguage(content);
  const toJinja2 = direction === 'nlt_to_jinja2' || (direction === 'auto' && language === 'nlt');
  return toJinja2
    ? { ...convertedNlt(content, language), sourceLanguage: language, targetLanguage: 'jinja2' }
    : { ...jinja2ToNlt(content), sourceLanguage: language, targetLanguage: 'nlt' };
}

function convertedNlt(content: string, language: DetectedLanguage): Conversion {
  if (language === 'jinja2') return { content, count: 0, warnings: [] };
  return nltToJinja2(content, language === 'mixed' ? 'kept' : 'text');
}
