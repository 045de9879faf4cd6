/**
 * The expensive parts of an inspection. They always run on a thread: loops can make the output of a small template
 * large, and an expensive pattern is stopped with its thread. `inspect-work.ts` implements them.
 */
import type { RemoteTask } from '../../../kernel/thread-task.js';
import type { Content } from '../../templates/domain/new-template.js';
import type { Analysis } from './analysis/analysis.js';
import type { AnalysisWork } from './analysis/analysis-work.js';
import type { SenderFacts } from './checks/sender.js';
import type { BoundedFindings } from './findings/bounded-findings.js';
import type { PreflightFacts } from './preflight/preflight.js';
import type { Preflight } from './preflight/preflight-answer.js';
import type { RenderingWork, Renderings } from './rendering/renderings.js';
import type { SpamWork } from './spam/spam-work.js';

interface PreflightWork {
  /** `bodyText` is made from the body if it is not stored. */
  readonly content: Content & { readonly bodyText: string | null };
  readonly sender: SenderFacts;
  readonly allowedHosts: readonly string[];
  readonly sent: NonNullable<PreflightFacts['sent']>;
}

export const PREFLIGHT: RemoteTask<PreflightWork, Preflight> = { name: 'inspect.preflight', apart: true };
export const ANALYSE: RemoteTask<AnalysisWork, Analysis> = { name: 'inspect.analyse', apart: true };
export const FIND_SPAM: RemoteTask<SpamWork, BoundedFindings> = { name: 'inspect.spam', apart: true };
export const RENDER: RemoteTask<RenderingWork, Renderings> = { name: 'inspect.render', apart: true };
