/** Runs as REST shows them (section 4.7), and the classes that describe them in the OpenAPI document. */
import { ApiProperty } from '@nestjs/swagger';
import { CHECK_NAMES, type CheckRecord } from '../domain/runs/check.js';
import { INSPECT_CHANNELS, INSPECT_MODES, JOB_STATUSES } from '../domain/runs/inspect-job.js';
import { RENDER_CLIENTS } from '../domain/rendering/render-client.js';
import { COLOUR_SCHEMES, DEVICES } from '../domain/runs/screenshot.js';
import type { JobWithScreenshots, QueuedRun } from '../application/inspect-runs.js';

/** A run that was queued. */
export class QueuedInspectionResponse {
  @ApiProperty({ format: 'uuid' }) job_id: string;
  @ApiProperty({ enum: ['queued'] }) status: 'queued';
  @ApiProperty({
    type: 'integer',
    description: '1 for the first full run of a version; 0 for later full runs and for quick runs.',
  })
  credits_charged: number;
}

export class CheckResponse implements CheckRecord {
  @ApiProperty({ enum: CHECK_NAMES }) name: CheckRecord['name'];
  @ApiProperty({ enum: ['done', 'skipped', 'failed'] }) status: CheckRecord['status'];
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Why the check was skipped or failed, or what it left out. Null otherwise.',
  })
  detail: string | null;
}

/** Open findings when the run ended. */
export class FindingSummaryResponse {
  @ApiProperty({ type: 'integer' }) critical: number;
  @ApiProperty({ type: 'integer' }) warning: number;
  @ApiProperty({ type: 'integer' }) info: number;
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'integer' },
    example: { html: 1, css: 0, links: 2 },
    description: 'Every category is included.',
  })
  by_category: Readonly<Record<string, number>>;
}

/** What the message looks like in an email client. */
export class ScreenshotResponse {
  @ApiProperty({ enum: RENDER_CLIENTS }) client: string;
  @ApiProperty({ enum: COLOUR_SCHEMES }) scheme: string;
  @ApiProperty({ enum: DEVICES }) device: string;
  @ApiProperty({ type: 'integer', description: 'In pixels.' }) width: number;
  @ApiProperty({ type: 'integer' }) height: number;
  @ApiProperty({ format: 'uri', description: 'Valid for one hour.' }) url: string;
}

/** A run of quality analysis. */
export class InspectJobResponse {
  @ApiProperty({ format: 'uuid' }) job_id: string;
  @ApiProperty({ example: 'welcome' }) template_slug: string;
  @ApiProperty({ type: 'integer', description: 'The template version when the run was requested.' })
  template_version: number;
  @ApiProperty({ enum: INSPECT_CHANNELS }) channel: string;
  @ApiProperty({ enum: INSPECT_MODES }) mode: string;
  @ApiProperty({ enum: JOB_STATUSES }) status: string;
  @ApiProperty({ type: 'integer', minimum: 0, maximum: 100, description: 'Progress in percent.' })
  progress: number;
  @ApiProperty({
    type: 'integer',
    nullable: true,
    minimum: 0,
    maximum: 100,
    description: 'Based on the findings open at the end of the run. Null until the run completes.',
  })
  score: number | null;
  @ApiProperty({
    type: Boolean,
    nullable: true,
    description: 'False while a critical finding is open. Null until the run completes.',
  })
  can_send: boolean | null;
  @ApiProperty({ type: FindingSummaryResponse, nullable: true }) summary: FindingSummaryResponse | null;
  @ApiProperty({ type: [CheckResponse] }) checks: readonly CheckResponse[];
  @ApiProperty({ type: [ScreenshotResponse] }) screenshots: readonly ScreenshotResponse[];
  @ApiProperty({ type: 'integer' }) credits_charged: number;
  @ApiProperty({ type: String, nullable: true, description: 'Why the run failed. Null otherwise.' }) error:
    string | null;
  @ApiProperty({ format: 'date-time' }) created_at: Date;
  @ApiProperty({ type: String, format: 'date-time', nullable: true }) started_at: Date | null;
  @ApiProperty({ type: String, format: 'date-time', nullable: true }) completed_at: Date | null;
}

export function presentQueuedRun({ id, creditsCharged }: QueuedRun): QueuedInspectionResponse {
  return { job_id: id, status: 'queued', credits_charged: creditsCharged };
}

export function presentJob(job: JobWithScreenshots): InspectJobResponse {
  const { summary } = job;
  return {
    job_id: job.id,
    template_slug: job.templateSlug,
    template_version: job.templateVersion,
    channel: job.channel,
    mode: job.mode,
    status: job.status,
    progress: job.progress,
    score: job.score,
    can_send: job.canSend,
    summary: summary && {
      critical: summary.critical,
      warning: summary.warning,
      info: summary.info,
      by_category: summary.byCategory,
    },
    checks: job.checks,
    screenshots: job.screenshots,
    credits_charged: job.creditsCharged,
    error: job.error,
    created_at: job.createdAt,
    started_at: job.startedAt,
    completed_at: job.completedAt,
  };
}
