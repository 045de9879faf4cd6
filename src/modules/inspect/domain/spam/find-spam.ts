/** The spam rules as a task for a thread: from a rendered message to findings at their positions in the stored body. */
import type { RenderedMessage, SourcePiece } from '../analysis/analysis.js';
import { boundedFindings, type BoundedFindings } from '../findings/bounded-findings.js';
import type { RuleFinding } from '../findings/finding.js';
import { sourceOffset } from '../analysis/source-offset.js';
import { spamInputOf, type SpamSender } from './spam-input.js';
import { spamFindings } from './spam-findings.js';

export interface SpamTaskInput {
  readonly message: RenderedMessage;
  readonly pieces: readonly SourcePiece[];
  readonly sender: SpamSender;
}

export function findSpam({ message, pieces, sender }: SpamTaskInput): BoundedFindings {
  const { findings, omitted } = boundedFindings(spamFindings(spamInputOf(message, sender)));
  return { findings: findings.map((finding) => atSource(finding, pieces)), omitted };
}

/** The finding with its position in the stored body. */
function atSource(finding: RuleFinding, pieces: readonly SourcePiece[]): RuleFinding {
  const { at, until, ...rest } = finding;
  if (typeof at !== 'number') return finding;
  const start = sourceOffset(pieces, at);
  if (until === undefined) return { ...rest, at: start };
  return { ...rest, at: start, until: Math.max(start, sourceOffset(pieces, until - 1) + 1) };
}
