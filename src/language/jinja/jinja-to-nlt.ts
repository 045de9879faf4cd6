/**
 * Converts the Jinja2 of a template to NLT (specification section 4.3: convert). Existing NLT stays unchanged, so mixed
 * content becomes NLT.
 *
 * Edge cases:
 * - A block that does not parse, or has no counterpart, stays exactly as written, with a warning that quotes it.
 * - The same applies to `raw`, and to a constant text, that would become an expression without its marks.
 * - `count` counts blocks: each output, tag, comment and raw text.
 */
import { mayContainJinja, Scanner } from './jinja-scanner.js';
import type { Conversion } from './conversion.js';
import { MAX_QUOTE_LENGTH } from './jinja-limits.js';
import type { NltPiece } from './jinja-output.js';
import { translate } from './jinja-translation.js';

/** Converts `source`; time is linear in its length. Never throws. */
export function jinja2ToNlt(source: string): Conversion {
  if (!mayContainJinja(source)) return { content: source, count: 0, warnings: [] };
  const { parts, errors, unconverted } = translate(source, null);
  const warnings = [...errors.map(({ message, ...span }) => ({ reason: message, ...span })), ...unconverted];
  let count = 0;
  const content = parts.map((part) => {
    const written = source.slice(part.start, part.end);
    if (part.kind !== 'made') return written;
    if (part.pieces.some(wouldParse)) {
      const { start, end } = part;
      warnings.push({ reason: 'without its marks the text would become an expression', start, end });
      return written;
    }
    count++;
    return part.pieces.map(({ text }) => text).join('');
  });
  warnings.sort((a, b) => a.start - b.start);
  return {
    content: content.join(''),
    count,
    warnings: warnings.map(({ reason, start, end }) => {
      return `“${quoted(source, start, end)}” was not converted: ${asSentence(reason)}`;
    }),
  };
}

/** The block as quoted in a warning. */
export function quoted(source: string, start: number, end: number): string {
  return end - start > MAX_QUOTE_LENGTH
    ? `${source.slice(start, start + MAX_QUOTE_LENGTH)}…`
    : source.slice(start, end);
}

/** A reason with its full stop. */
export function asSentence(reason: string): string {
  return reason.endsWith('.') ? reason : `${reason}.`;
}

/** Whether text, inserted into a template, could be parsed as an expression, alone or with the text after it. */
function wouldParse({ kind, text }: NltPiece): boolean {
  if (kind !== 'text' || !text.includes('{')) return false;
  if (text.lastIndexOf('{') > text.lastIndexOf('}') || /\{[{%#]/.test(text)) return true;
  return !new Scanner(text, null).blocks().next().done;
}
