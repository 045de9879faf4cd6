/** Runs and their findings, as the dashboard shows them. */
import { Field, GraphQLISODateTime, ID, Int, ObjectType } from '@nestjs/graphql';
import { connection, edge } from '../../../platform/graphql/connection.js';
import type { CheckRecord } from '../domain/runs/check.js';
import type { SourceEdit } from '../domain/findings/finding.js';
import type { InspectFinding } from '../domain/findings/inspect-finding.js';
import type { FindingStatus } from '../domain/findings/finding-mark.js';
import type { InspectChannel, InspectJob, InspectMode, JobStatus } from '../domain/runs/inspect-job.js';
import type { RenderClient } from '../domain/rendering/render-client.js';
import type { FindingCategory, FindingSeverity } from '../domain/rules/rule.js';
import {
  FindingCategoryEnum,
  FindingSeverityEnum,
  FindingStatusEnum,
  InspectChannelEnum,
  InspectModeEnum,
  JobStatusEnum,
} from '../input/inspect-run.input.js';

@ObjectType('QueuedInspection', { description: 'A run that was queued.' })
export class QueuedInspectionType {
  @Field(() => ID) jobId: string;
  @Field(() => JobStatusEnum) status: JobStatus;
  @Field(() => Int, { description: '1 for the first full run of a version, otherwise 0.' })
  creditsCharged: number;
}

@ObjectType('InspectCheck')
class InspectCheckType {
  @Field() name: string;
  @Field({ description: 'done, skipped or failed' }) status: string;
  @Field(() => String, {
    nullable: true,
    description: 'Why the check was skipped or failed, or what it left out. Null otherwise.',
  })
  detail: string | null;
}

@ObjectType('FindingCount')
class FindingCountType {
  @Field(() => FindingCategoryEnum) category: FindingCategory;
  @Field(() => Int) findings: number;
}

@ObjectType('FindingSummary', { description: 'Open findings at the end of the run.' })
class FindingSummaryType {
  @Field(() => Int) critical: number;
  @Field(() => Int) warning: number;
  @Field(() => Int) info: number;
  @Field(() => [FindingCountType], { description: 'Every category is included.' })
  byCategory: FindingCountType[];
}

@ObjectType('InspectJob', { description: 'A quality analysis run.' })
export class InspectJobType {
  @Field(() => ID) id: string;
  @Field() templateSlug: string;
  @Field(() => Int, { description: 'The template version when the run was requested.' })
  templateVersion: number;
  @Field(() => InspectChannelEnum) channel: InspectChannel;
  @Field(() => InspectModeEnum) mode: InspectMode;
  @Field(() => JobStatusEnum) status: JobStatus;
  @Field(() => Int, { description: 'Progress in percent.' }) progress: number;
  @Field(() => Int, { nullable: true, description: '0 to 100. Null until the run completes.' })
  score: number | null;
  @Field(() => Boolean, {
    nullable: true,
    description: 'False while a critical finding is open. Null until the run completes.',
  })
  canSend: boolean | null;
  @Field(() => FindingSummaryType, { nullable: true }) summary: FindingSummaryType | null;
  @Field(() => [InspectCheckType]) checks: readonly CheckRecord[];
  @Field(() => Int) creditsCharged: number;
  @Field(() => String, { nullable: true, description: 'Why the run failed. Null otherwise.' }) error:
    string | null;
  @Field(() => GraphQLISODateTime) createdAt: Date;
  @Field(() => GraphQLISODateTime, { nullable: true }) startedAt: Date | null;
  @Field(() => GraphQLISODateTime, { nullable: true }) completedAt: Date | null;
}

@ObjectType('InspectScreenshot', { description: 'A rendering of the message in a mail program.' })
class InspectScreenshotType {
  @Field() client: string;
  @Field({ description: 'light or dark' }) scheme: string;
  @Field({ description: 'desktop or phone' }) device: string;
  @Field(() => Int, { description: 'In pixels.' }) width: number;
  @Field(() => Int) height: number;
  @Field({ description: 'Valid for one hour.' }) url: string;
}

@ObjectType('PicturedInspectJob', { description: 'A quality analysis run with its screenshots.' })
export class InspectJobWithScreenshotsType extends InspectJobType {
  @Field(() => [InspectScreenshotType]) screenshots: readonly InspectScreenshotType[];
}

@ObjectType('InspectJobEdge')
class InspectJobEdgeType extends edge<InspectJobType>(() => InspectJobType) {}

@ObjectType('InspectJobConnection')
export class InspectJobConnectionType extends connection(() => InspectJobEdgeType) {}

@ObjectType('SourceEdit', {
  description: 'An edit that replaces the characters from start to end of the stored body with text.',
})
class SourceEditType {
  @Field(() => Int, { description: 'Offset in UTF-16 code units, starting at 0.' }) start: number;
  @Field(() => Int, { description: 'Equals start if text is inserted.' }) end: number;
  @Field() text: string;
}

/** The fields that every type of finding has. */
@ObjectType({ isAbstract: true })
export abstract class PublicFindingType {
  @Field(() => ID) id: string;
  @Field(() => ID) jobId: string;
  @Field({ description: 'A stable code. New codes may be added.' }) code: string;
  @Field(() => FindingCategoryEnum) category: FindingCategory;
  @Field(() => FindingSeverityEnum) severity: FindingSeverity;
  @Field() title: string;
  @Field() message: string;
  @Field({ description: 'How to fix it.' }) fix: string;
  @Field(() => Int, {
    nullable: true,
    description: 'Line in the stored body, starting at 1. Null if the finding has no position.',
  })
  line: number | null;
  @Field(() => Int, { nullable: true }) column: number | null;
  @Field(() => String, { nullable: true }) snippet: string | null;
  @Field(() => [String], { description: 'The affected mail programs. Empty if all are affected.' })
  clients: readonly RenderClient[];
  @Field(() => FindingStatusEnum, { description: 'The current status.' }) status: FindingStatus;
  @Field(() => GraphQLISODateTime, { nullable: true }) snoozedUntil: Date | null;
  @Field(() => String, { nullable: true }) reason: string | null;
}

@ObjectType('InspectFinding', { description: 'A finding of a run.' })
export class InspectFindingType extends PublicFindingType {
  @Field({
    description: 'Whether applyFixes can fix it, as long as the inspected version is the current one.',
  })
  fixable: boolean;
  @Field(() => [SourceEditType], {
    description: 'The edits applyFixes makes to the inspected version.',
  })
  edits: readonly SourceEdit[];
  @Field(() => [SourceEditType], {
    description: 'A suggested correction for the author to review. Not applied by applyFixes.',
  })
  suggestedEdits: readonly SourceEdit[];
}

@ObjectType('InspectFindingEdge')
class InspectFindingEdgeType extends edge<InspectFindingType>(() => InspectFindingType) {}

@ObjectType('InspectFindingConnection')
export class InspectFindingConnectionType extends connection(() => InspectFindingEdgeType) {
  @Field(() => Int, { description: 'Number of findings that match the filter.' }) totalCount: number;
}

export function findingTypeOf(finding: InspectFinding): InspectFindingType {
  const { isSuggestion } = finding;
  const [edits, suggestedEdits] = isSuggestion ? [[], finding.edits ?? []] : [finding.edits ?? [], []];
  return { ...finding, fixable: edits.length > 0, edits, suggestedEdits };
}

export function jobTypeOf(job: InspectJob): InspectJobType {
  const { summary } = job;
  if (!summary) return { ...job, summary: null };
  const byCategory = Object.entries(summary.byCategory).map(([category, findings]) => ({
    category: category as FindingCategory,
    findings,
  }));
  return { ...job, summary: { ...summary, byCategory } };
}
