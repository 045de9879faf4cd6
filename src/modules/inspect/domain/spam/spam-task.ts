/** The rules of spam as work for a thread: from a rendered message to findings at their places in the stored body. */
import type { ThreadTask } from '../../../../kernel/thread-task.js';
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

export const FIND_SPAM: ThreadTask<SpamWork, RuleFinding[]> = {
  name: 'inspect.spam',
  apart: true,
  run: ({ message, pieces, sender }) => {
    const found = spamFindings(spamFactsOf(message, sender));
    return boundedFindings(found).map((finding) => atSource(finding, message.html, pieces));
  },
};

/** A finding at the place in the stored body; what it points at stays what is rendered. */
function atSource(finding: RuleFinding, html: string, pieces: readonly SourcePiece[]): RuleFinding {
  const { at, until, ...rest } = finding;
  if (typeof at !== 'number') return finding;
  const start = sourceOffset(pieces, at);
  const target = rest.target ?? html.slice(at, until ?? at + 200).slice(0, 1_000);
  if (until === undefined) return { ...rest, target, at: start };
  return { ...rest, target, at: start, until: Math.max(start, sourceOffset(pieces, until - 1) + 1) };
}
