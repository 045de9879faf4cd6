/** Runs of quality analysis in REST (section 4.7) and in GraphQL. */
import { oneOf, Out, Output } from '../../../platform/output/output-class.js';
import { connection } from '../../../platform/output/pages.js';
import type { QueuedRun } from '../application/inspect-runs.js';
import { RENDER_CLIENTS } from '../domain/rendering/render-client.js';
import { FINDING_CATEGORIES, type FindingCategory } from '../domain/rules/rule.js';
import { CHECK_NAMES, CHECK_STATUSES } from '../domain/runs/check.js';
import {
  INSPECT_CHANNELS,
  INSPECT_MODES,
  JOB_STATUSES,
  type InspectJob,
} from '../domain/runs/inspect-job.js';
import { COLOUR_SCHEMES, DEVICES } from '../domain/runs/screenshot.js';
import {
  FindingCategoryEnum,
  InspectChannelEnum,
  InspectModeEnum,
  JobStatusEnum,
} from '../input/inspect-run.input.js';

@Output({
  rest: 'QueuedInspectionResponse',
  graphql: 'QueuedInspection',
  description: 'A run that was queued.',
})
export class QueuedInspectionOutput {
  @Out('ID') jobId: string;
  @Out(oneOf(['queued'], JobStatusEnum)) status: 'queued';
  @Out('Int', {
    description: '1 for the first full run of a version; 0 for later full runs and for quick runs.',
  })
  creditsCharged: number;
}

@Output({ rest: 'CheckResponse', graphql: 'InspectCheck' })
class CheckOutput {
  @Out(oneOf(CHECK_NAMES)) name: string;
  @Out(oneOf(CHECK_STATUSES), { description: 'done, skipped or failed' }) status: string;
  @Out('String', {
    nullable: true,
    description: 'Why the check was skipped or failed, or what it left out. Null otherwise.',
  })
  detail: string | null;
}

@Output({ graphql: 'FindingCount' })
class FindingCountOutput {
  @Out(oneOf(FINDING_CATEGORIES, FindingCategoryEnum)) category: string;
  @Out('Int') findings: number;
}

@Output({
  rest: 'FindingSummaryResponse',
  graphql: 'FindingSummary',
  description: 'Open findings at the end of the run.',
})
class FindingSummaryOutput {
  @Out('Int') critical: number;
  @Out('Int') warning: number;
  @Out('Int') info: number;
  @Out([FindingCountOutput], { only: 'graphql', description: 'Every category is included.' })
  byCategory: readonly FindingCountOutput[];
  @Out('JSON', {
    ...{ only: 'rest', inRest: { name: 'byCategory' }, api: { additionalProperties: { type: 'integer' } } },
    ...{ example: { html: 1, css: 0, links: 2 }, description: 'Every category is included.' },
  })
  countsByCategory: Readonly<Record<FindingCategory, number>>;
}

/** A run in a list. */
@Output({ graphql: 'InspectJob', description: 'A quality analysis run.' })
export class InspectJobOutput {
  @Out('ID', { inRest: { name: 'jobId' } }) id: string;
  @Out('String', { example: 'welcome' }) templateSlug: string;
  @Out('Int', { description: 'The template version when the run was requested.' }) templateVersion: number;
  @Out(oneOf(INSPECT_CHANNELS, InspectChannelEnum)) channel: string;
  @Out(oneOf(INSPECT_MODES, InspectModeEnum)) mode: string;
  @Out(oneOf(JOB_STATUSES, JobStatusEnum)) status: string;
  @Out('Int', { api: { minimum: 0, maximum: 100 }, description: 'Progress in percent.' }) progress: number;
  @Out('Int', {
    nullable: true,
    api: { minimum: 0, maximum: 100 },
    description: '0 to 100, based on the findings open at the end of the run. Null until the run completes.',
  })
  score: number | null;
  @Out('Boolean', {
    nullable: true,
    description: 'False while a critical finding is open. Null until the run completes.',
  })
  canSend: boolean | null;
  @Out(FindingSummaryOutput, { nullable: true }) summary: FindingSummaryOutput | null;
  @Out([CheckOutput]) checks: readonly CheckOutput[];
  @Out('Int') creditsCharged: number;
  @Out('String', { nullable: true, description: 'Why the run failed. Null otherwise.' }) error: string | null;
  @Out('DateTime') createdAt: Date;
  @Out('DateTime', { nullable: true }) startedAt: Date | null;
  @Out('DateTime', { nullable: true }) completedAt: Date | null;
}

export const InspectJobConnection = connection('InspectJob', InspectJobOutput);

@Output({
  rest: 'ScreenshotResponse',
  graphql: 'InspectScreenshot',
  description: 'A rendering of the message in a mail program.',
})
class ScreenshotOutput {
  @Out(oneOf(RENDER_CLIENTS)) client: string;
  @Out(oneOf(COLOUR_SCHEMES), { description: 'light or dark' }) scheme: string;
  @Out(oneOf(DEVICES), { description: 'desktop or phone' }) device: string;
  @Out('Int', { description: 'In pixels.' }) width: number;
  @Out('Int', { description: 'In pixels.' }) height: number;
  @Out('String', { api: { format: 'uri' }, description: 'Valid for one hour.' }) url: string;
}

@Output({
  rest: 'InspectJobResponse',
  graphql: 'PicturedInspectJob',
  description: 'A quality analysis run with its screenshots.',
})
export class InspectJobWithScreenshotsOutput extends InspectJobOutput {
  @Out([ScreenshotOutput]) screenshots: readonly ScreenshotOutput[];
}

export function queuedInspectionOutput({ id, creditsCharged }: QueuedRun): QueuedInspectionOutput {
  return { jobId: id, status: 'queued', creditsCharged };
}

/** The run, with its counts as REST and as GraphQL have them. */
export function jobOutput<Job extends InspectJob>(
  job: Job,
): Omit<Job, 'summary'> & Pick<InspectJobOutput, 'summary'> {
  const { summary } = job;
  if (!summary) return { ...job, summary: null };
  const countsByCategory = summary.byCategory;
  const byCategory = Object.entries(countsByCategory).map(([category, findings]) => ({ category, findings }));
  return { ...job, summary: { ...summary, byCategory, countsByCategory } };
}
