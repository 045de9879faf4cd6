/** Converts a template from one of its two languages to the other, section 4.3: convert. */
import type { Conversion } from './conversion.js';
import { type DetectedLanguage, detectLanguage } from './detect.js';
import { jinja2ToNlt } from './jinja-to-nlt.js';
import { nltToJinja2 } from './nlt-to-jinja.js';

export const DIRECTIONS = ['jinja2_to_nlt', 'nlt_to_jinja2', 'auto'] as const;
export type Direction = (typeof DIRECTIONS)[number];

/**
 * A conversion and the languages it went between. What holds no expression is NLT already: `sourceLanguage` none,
 * `targetLanguage` nlt. For a direction that was asked for, both are those of the direction.
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
  if (direction === 'jinja2_to_nlt')
    return { ...jinja2ToNlt(content), sourceLanguage: 'jinja2', targetLanguage: 'nlt' };
  if (direction === 'nlt_to_jinja2')
    return { ...toJinja2(content, language), sourceLanguage: 'nlt', targetLanguage: 'jinja2' };
  if (language === 'nlt')
    return { ...toJinja2(content, language), sourceLanguage: language, targetLanguage: 'jinja2' };
  return { ...jinja2ToNlt(content), sourceLanguage: language, targetLanguage: 'nlt' };
}

/** Mixed content is NLT first, so that each language knows the loop variables of the other. */
function toJinja2(content: string, language: DetectedLanguage): Conversion {
  if (language === 'jinja2') return { content, count: 0, warnings: [] };
  if (language !== 'mixed') return nltToJinja2(content);
  return nltToJinja2(jinja2ToNlt(content).content, 'kept');
}
