/** What the content check makes of a template. */
import type { ThreadTask } from '../../../kernel/thread-task.js';
import type { PreviewSample } from '../../templates/domain/preview.js';
import type { Analysis, InspectedContent } from './analysis.js';
import type { InspectChannel } from './inspect-job.js';
import type { SenderFacts } from './sender.js';
import { sourceFindings } from './source-findings.js';

export interface AnalysisWork {
  readonly content: InspectedContent;
  readonly preheader: string | null;
  readonly channel: InspectChannel;
  readonly sender: SenderFacts;
  readonly sample: PreviewSample | null;
  readonly now: Date;
}

export const ANALYSE: ThreadTask<AnalysisWork, Analysis> = {
  name: 'inspect.analyse',
  run: ({ content, sender }) => ({
    message: { subject: content.subject, html: content.bodyHtml, text: content.bodyText },
    pieces: [],
    findings: sourceFindings(content, sender),
    resources: [],
    resourcesCut: false,
  }),
};
