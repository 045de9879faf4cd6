/**
 * Preflight of a template (section 4.3): everything that a careful person would look at before an email goes out. It
 * judges what is written, and the size of what is sent; it opens no link and loads no image. Of each rule at most MOST_PER_CODE findings are shown.
 */
import { summarize, type Preflight } from './preflight-answer.js';
import type { SentAdditions } from '../../../delivery/domain/sent-additions.js';
import { renderFor } from '../analysis/rendering.js';
import { checkSize } from '../checks/message-size.js';
import type { RuleFinding } from '../findings/finding.js';
import { isAllowed } from '../findings/allowed-hosts.js';
import type { SenderFacts } from '../checks/sender.js';
import { sourceFindings, type SourceContent } from '../checks/source-findings.js';

export interface PreflightFacts {
  readonly content: SourceContent;
  readonly sender: SenderFacts;
  /** Private hosts that the operator allows, as INSPECT_ALLOW_HOSTS has them. */
  readonly allowedHosts: readonly string[];
  /** What is added on the way out, and the moment that it is rendered for; the size is that of the source where absent. */
  readonly sent?: { readonly additions: SentAdditions; readonly now: Date };
}

/** Examines a template; never throws. */
export function preflight({ content, sender, allowedHosts, sent }: PreflightFacts): Preflight {
  const findings = sourceFindings(content, sender).filter((finding) => !isAllowed(finding, allowedHosts));
  return summarize([...findings, ...sizeFindings(content, sent)], content.bodyHtml);
}

function sizeFindings(content: SourceContent, sent: PreflightFacts['sent']): RuleFinding[] {
  if (!sent) return checkSize(content.bodyHtml);
  const rendering = renderFor(content, null, sent.now);
  return checkSize(content.bodyHtml, 'why' in rendering ? null : rendering.message.html, sent.additions);
}
