/**
 * What a finding points at, as a text that stays the same from version to version (section 4.7): the element as it is
 * written, wherever it stands.
 */
import type { RuleFinding } from './finding.js';

/** Characters of what is pointed at that tell it from others. */
const LONGEST_TARGET = 2_000;

/** @param offset where the finding stands in the source; null for what has no place there. */
export function normalTarget(finding: RuleFinding, offset: number | null, source: string): string {
  if (finding.target !== undefined) return normal(finding.target);
  if (offset !== null && finding.until !== undefined) return normal(source.slice(offset, finding.until));
  if (offset !== null) return normal(lineFrom(source, offset));
  // Sizes and counts change while the matter stays.
  return normal(finding.message).replace(/\d[\d.,]*/g, '#');
}

function normal(text: string): string {
  return text.slice(0, LONGEST_TARGET).replace(/\s+/g, ' ').trim().toWellFormed();
}

function lineFrom(source: string, offset: number): string {
  return /^[^\r\n]*/.exec(source.slice(offset, offset + LONGEST_TARGET))?.[0] ?? '';
}
