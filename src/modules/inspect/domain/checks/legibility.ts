/** Checks whether text is legible: its contrast by WCAG 2.2 (1.4.3) and its size. */
import { contrastOf, hexOf, blend } from '../email/colour.js';
import { MAX_FINDINGS } from '../findings/bounded-findings.js';
import type { RuleFinding } from '../findings/finding.js';
import { textAppearances, type TextAppearance } from '../email/text-appearance.js';
import type { EmailElement, EmailText, ParsedEmail } from '../email/parsed-email.js';

const MIN_CONTRAST = 4.5;
const MIN_CONTRAST_LARGE_TEXT = 3;
/** 18 and 14 points, in CSS pixels. */
const LARGE_TEXT_PX = 24;
const LARGE_BOLD_TEXT_PX = 18.66;
const MIN_TEXT_PX = 12;
/** Text of this size and below is hidden on purpose. */
const MAX_HIDDEN_TEXT_PX = 1;

export function checkLegibility(email: ParsedEmail): RuleFinding[] {
  const appearances = textAppearances(email);
  if (!appearances) return [];
  const contrasts: RuleFinding[] = [];
  const sizes: RuleFinding[] = [];
  const seen = new Set<EmailElement>();
  for (const text of email.texts) {
    const appearance = appearances.get(text.parent);
    if (
      !appearance ||
      appearance.hidden ||
      (appearance.size !== null && appearance.size <= MAX_HIDDEN_TEXT_PX) ||
      text.text.trim() === ''
    )
      continue;
    // If the text of an element is in pieces, only the first is reported.
    if (seen.has(text.parent)) continue;
    seen.add(text.parent);
    report(contrasts, 'contrast_low', text, contrastProblem(appearance));
    report(sizes, 'text_tiny', text, sizeProblem(appearance));
  }
  return [...contrasts, ...sizes];
}

/** Reports a text at its beginning. */
function report(
  findings: RuleFinding[],
  rule: 'contrast_low' | 'text_tiny',
  { text, offset }: EmailText,
  message: string | null,
): void {
  if (message === null || findings.length >= MAX_FINDINGS) return;
  const lead = /^\s*/.exec(text)?.[0].length ?? 0;
  findings.push({ rule, message, at: offset + lead });
}

function contrastProblem({ colour, background, size, bold }: TextAppearance): string | null {
  if (colour === null || background === null) return null;
  const visible = blend(colour, background);
  const ratio = contrastOf(visible, background);
  // If the size is unknown, the text may be large.
  const large = size === null || size >= LARGE_TEXT_PX || (bold && size >= LARGE_BOLD_TEXT_PX);
  const needed = large ? MIN_CONTRAST_LARGE_TEXT : MIN_CONTRAST;
  if (ratio >= needed) return null;
  // Rounded down, so that a failing value never reads as sufficient.
  const shown = (Math.floor(ratio * 100) / 100).toFixed(2);
  return `Text in ${hexOf(visible)} on ${hexOf(background)} has a contrast of ${shown}:1; it needs ${needed}:1.`;
}

function sizeProblem({ size }: TextAppearance): string | null {
  if (size === null || size >= MIN_TEXT_PX) return null;
  return `Text has a size of ${Number(size.toFixed(1))} pixels.`;
}
