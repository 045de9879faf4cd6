/** Checks whether text is legible: its contrast by WCAG 2.2 (1.4.3) and its size. */
import { contrastOf, hexOf, upon } from '../email/colour.js';
import { MOST_FINDINGS } from '../findings/bounded-findings.js';
import type { RuleFinding } from '../findings/finding.js';
import { looksOf, type Look } from '../email/looks.js';
import type { EmailElement, EmailText, ParsedEmail } from '../email/parsed-email.js';

const ENOUGH = 4.5;
const ENOUGH_WHEN_LARGE = 3;
/** 18 and 14 points, in CSS pixels. */
const LARGE = 24;
const LARGE_WHEN_BOLD = 18.66;
const SMALLEST = 12;
/** Text of this size and below is hidden on purpose. */
const HIDDEN = 1;

export function checkLegibility(email: ParsedEmail): RuleFinding[] {
  const looks = looksOf(email);
  if (!looks) return [];
  const contrasts: RuleFinding[] = [];
  const sizes: RuleFinding[] = [];
  const seen = new Set<EmailElement>();
  for (const text of email.texts) {
    const look = looks.get(text.parent);
    if (!look || look.hidden || (look.size !== null && look.size <= HIDDEN) || text.text.trim() === '')
      continue;
    // If the text of an element is in pieces, only the first is reported.
    if (seen.has(text.parent)) continue;
    seen.add(text.parent);
    note(contrasts, 'contrast_low', text, contrastProblem(look));
    note(sizes, 'text_tiny', text, sizeProblem(look));
  }
  return [...contrasts, ...sizes];
}

/** Reports a text at its beginning. */
function note(
  told: RuleFinding[],
  rule: 'contrast_low' | 'text_tiny',
  { text, offset }: EmailText,
  message: string | null,
): void {
  if (message === null || told.length >= MOST_FINDINGS) return;
  const lead = /^\s*/.exec(text)?.[0].length ?? 0;
  told.push({ rule, message, at: offset + lead });
}

function contrastProblem({ colour, ground, size, bold }: Look): string | null {
  if (colour === null || ground === null) return null;
  const seen = upon(colour, ground);
  const ratio = contrastOf(seen, ground);
  // If the size is unknown, the text may be large.
  const large = size === null || size >= LARGE || (bold && size >= LARGE_WHEN_BOLD);
  const needed = large ? ENOUGH_WHEN_LARGE : ENOUGH;
  if (ratio >= needed) return null;
  // Rounded down, so that a failing value never reads as sufficient.
  const shown = (Math.floor(ratio * 100) / 100).toFixed(2);
  return `Text in ${hexOf(seen)} on ${hexOf(ground)} has a contrast of ${shown}:1; it needs ${needed}:1.`;
}

function sizeProblem({ size }: Look): string | null {
  if (size === null || size >= SMALLEST) return null;
  return `Text has a size of ${Number(size.toFixed(1))} pixels.`;
}
