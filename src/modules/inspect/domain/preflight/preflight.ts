/**
 * Preflight of a template (section 4.3): the checks that a careful author would make before sending an email. It judges
 * the source, and the size of what is sent; it opens no link and loads no image. Of each rule at most MAX_PER_CODE
 * findings are shown.
 */
import { summarize, type Preflight } from './preflight-answer.js';
import type { SentAdditions } from '../../../delivery/domain/sent-additions.js';
import { renderFor } from '../analysis/rendering.js';
import { checkSize } from '../checks/message-size.js';
import type { RuleFinding } from '../findings/finding.js';
import { isAllowed } from '../findings/allowed-hosts.js';
import type { SenderInputs } from '../checks/sender.js';
import { sourceFindings, type SourceContent } from '../checks/source-findings.js';

export interface PreflightInputs {
  readonly content: SourceContent;
  readonly sender: SenderInputs;
  /** Private hosts that the operator allows, as in INSPECT_ALLOW_HOSTS. */
  readonly allowedHosts: readonly string[];
  /** What delivery adds, and the moment to render for; if absent, the size is that of the source. */
  readonly sent?: { readonly additions: SentAdditions; readonly now: Date };
}

/** Checks a template; never throws. */
export function preflight({ content, sender, allowedHosts, sent }: PreflightInputs): Preflight {
  const findings = sourceFindings(content, sender).filter((finding) => !isAllowed(finding, allowedHosts));
  return summarize([...findings, ...sizeFindings(content, sent)], content.bodyHtml);
}

function sizeFindings(content: SourceContent, sent: PreflightInputs['sent']): RuleFinding[] {
  if (!sent) return checkSize(content.bodyHtml);
  const rendering = renderFor(content, null, sent.now);
  return checkSize(content.bodyHtml, 'why' in rendering ? null : rendering.message.html, sent.additions);
}
