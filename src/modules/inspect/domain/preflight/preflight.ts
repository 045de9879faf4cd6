/**
 * Preflight of a template (section 4.3): everything that a careful person would look at before an email goes out. It
 * judges what is written; it opens no link and loads no image. Of each rule at most MOST_PER_CODE findings are shown.
 */
import { summarize, type Preflight } from './preflight-answer.js';
import type { SenderFacts } from '../checks/sender.js';
import { sourceFindings, type SourceContent } from '../checks/source-findings.js';

export interface PreflightFacts {
  readonly content: SourceContent;
  readonly sender: SenderFacts;
}

/** Examines a template; never throws. */
export function preflight({ content, sender }: PreflightFacts): Preflight {
  return summarize(sourceFindings(content, sender), content.bodyHtml);
}
