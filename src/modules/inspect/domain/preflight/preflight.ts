/**
 * Preflight of a template (section 4.3): everything that a careful person would look at before an email goes out. It
 * judges what is written; it opens no link and loads no image. Of each rule at most MOST_PER_CODE findings are shown.
 */
import { summarize, type Preflight } from './preflight-answer.js';
import { isAllowed } from '../findings/allowed-hosts.js';
import type { SenderFacts } from '../checks/sender.js';
import { sourceFindings, type SourceContent } from '../checks/source-findings.js';

export interface PreflightFacts {
  readonly content: SourceContent;
  readonly sender: SenderFacts;
  /** Private hosts that the operator allows, as INSPECT_ALLOW_HOSTS has them. */
  readonly allowedHosts: readonly string[];
}

/** Examines a template; never throws. */
export function preflight({ content, sender, allowedHosts }: PreflightFacts): Preflight {
  const findings = sourceFindings(content, sender).filter((finding) => !isAllowed(finding, allowedHosts));
  return summarize(findings, content.bodyHtml);
}
