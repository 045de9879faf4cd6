/** The rules of spam as work for a thread: from a rendered message to findings at their places in the stored body. */
import type { RenderedMessage, SourcePiece } from '../analysis/analysis.js';
import { boundedFindings } from '../findings/bounded-findings.js';
import type { RuleFinding } from '../findings/finding.js';
import { sourceOffset } from '../analysis/source-place.js';
import { spamFactsOf, type SpamSender } from './spam-facts.js';
import { spamFindings } from './spam-findings.js';

export interface SpamWork {
  readonly message: RenderedMessage;
  readonly pieces: readonly SourcePiece[];
  readonly sender: SpamSender;
}

export function findSpam({ message, pieces, sender }: SpamWork): RuleFinding[] {
  const found = spamFindings(spamFactsOf(message, sender));
  return boundedFindings(found).map((finding) => atSource(finding, pieces));
}

/** A finding at the place in the stored body. */
function atSource(finding: RuleFinding, pieces: readonly SourcePiece[]): RuleFinding {
  const { at, until, ...rest } = finding;
  if (typeof at !== 'number') return finding;
  const start = sourceOffset(pieces, at);
  if (until === undefined) return { ...rest, at: start };
  return { ...rest, at: start, until: Math.max(start, sourceOffset(pieces, until - 1) + 1) };
}
