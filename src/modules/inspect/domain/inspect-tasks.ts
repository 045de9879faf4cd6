/**
 * The expensive parts of an inspection. They always run on a thread: loops can make the output of a small template
 * large, and an expensive pattern is stopped with its thread. `inspect-work.ts` implements them.
 */
import type { RemoteTask } from '../../../kernel/thread-task.js';
import type { Content } from '../../templates/domain/new-template.js';
import type { Analysis } from './analysis/analysis.js';
import type { AnalysisInput } from './analysis/analyse.js';
import type { SenderInputs } from './checks/sender.js';
import type { BoundedFindings } from './findings/bounded-findings.js';
import type { PreflightInputs } from './preflight/preflight.js';
import type { Preflight } from './preflight/preflight-answer.js';
import type { RenderingInput, Renderings } from './rendering/renderings.js';
import type { SpamTaskInput } from './spam/find-spam.js';

interface PreflightTaskInput {
  /** `bodyText` is made from the body if it is not stored. */
  readonly content: Content & { readonly bodyText: string | null };
  readonly sender: SenderInputs;
  readonly allowedHosts: readonly string[];
  readonly sent: NonNullable<PreflightInputs['sent']>;
}

export const PREFLIGHT: RemoteTask<PreflightTaskInput, Preflight> = {
  name: 'inspect.preflight',
  apart: true,
};
export const ANALYSE: RemoteTask<AnalysisInput, Analysis> = { name: 'inspect.analyse', apart: true };
export const FIND_SPAM: RemoteTask<SpamTaskInput, BoundedFindings> = { name: 'inspect.spam', apart: true };
export const RENDER: RemoteTask<RenderingInput, Renderings> = { name: 'inspect.render', apart: true };
