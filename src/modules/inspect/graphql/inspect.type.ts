/** Runs and what they found, as the dashboard sees them. */
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

@ObjectType('QueuedInspection', { description: 'A run that was taken in.' })
export class QueuedInspectionType {
  @Field(() => ID) jobId: string;
  @Field(() => JobStatusEnum) status: JobStatus;
  @Field(() => Int, { description: '1 for the first full run of a version.' }) creditsCharged: number;
}

@ObjectType('InspectCheck')
class InspectCheckType {
  @Field() name: string;
  @Field({ description: 'done, skipped or failed' }) status: string;
  @Field(() => String, {
    nullable: true,
    description: 'Why it was skipped or failed, or what was left out.',
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
  @Field(() => [FindingCountType], { description: 'Of every category.' }) byCategory: FindingCountType[];
}

@ObjectType('InspectJob', { description: 'A run of quality analysis.' })
export class InspectJobType {
  @Field(() => ID) id: string;
  @Field() templateSlug: string;
  @Field(() => Int, { description: 'The version at the moment of the request.' }) templateVersion: number;
  @Field(() => InspectChannelEnum) channel: InspectChannel;
  @Field(() => InspectModeEnum) mode: InspectMode;
  @Field(() => JobStatusEnum) status: JobStatus;
  @Field(() => Int, { description: 'Per cent.' }) progress: number;
  @Field(() => Int, { nullable: true, description: 'From 0 to 100; null until the run has completed.' })
  score: number | null;
  @Field(() => Boolean, { nullable: true, description: 'False while a critical finding is open.' })
  canSend: boolean | null;
  @Field(() => FindingSummaryType, { nullable: true }) summary: FindingSummaryType | null;
  @Field(() => [InspectCheckType]) checks: readonly CheckRecord[];
  @Field(() => Int) creditsCharged: number;
  @Field(() => String, { nullable: true, description: 'Why the run failed.' }) error: string | null;
  @Field(() => GraphQLISODateTime) createdAt: Date;
  @Field(() => GraphQLISODateTime, { nullable: true }) startedAt: Date | null;
  @Field(() => GraphQLISODateTime, { nullable: true }) completedAt: Date | null;
}

@ObjectType('InspectScreenshot', { description: 'What the message looks like in a mail program.' })
class InspectScreenshotType {
  @Field() client: string;
  @Field({ description: 'light or dark' }) scheme: string;
  @Field({ description: 'desktop or phone' }) device: string;
  @Field(() => Int, { description: 'In pixels.' }) width: number;
  @Field(() => Int) height: number;
  @Field({ description: 'Holds for an hour.' }) url: string;
}

@ObjectType('PicturedInspectJob', { description: 'A run of quality analysis with its pictures.' })
export class PicturedInspectJobType extends InspectJobType {
  @Field(() => [InspectScreenshotType]) screenshots: readonly InspectScreenshotType[];
}

@ObjectType('InspectJobEdge')
class InspectJobEdgeType extends edge<InspectJobType>(() => InspectJobType) {}

@ObjectType('InspectJobConnection')
export class InspectJobConnectionType extends connection(() => InspectJobEdgeType) {}

@ObjectType('SourceEdit', { description: 'Characters from start to end of the stored body become text.' })
class SourceEditType {
  @Field(() => Int, { description: 'From 0, in UTF-16 units.' }) start: number;
  @Field(() => Int, { description: 'The same as start where text is put in.' }) end: number;
  @Field() text: string;
}

/** What is told of a finding wherever it is. */
@ObjectType({ isAbstract: true })
export abstract class ToldFindingType {
  @Field(() => ID) id: string;
  @Field(() => ID) jobId: string;
  @Field({ description: 'Stable; more may be added.' }) code: string;
  @Field(() => FindingCategoryEnum) category: FindingCategory;
  @Field(() => FindingSeverityEnum) severity: FindingSeverity;
  @Field() title: string;
  @Field() message: string;
  @Field({ description: 'How to mend it.' }) fix: string;
  @Field(() => Int, { nullable: true, description: 'In the stored body, from 1.' }) line: number | null;
  @Field(() => Int, { nullable: true }) column: number | null;
  @Field(() => String, { nullable: true }) snippet: string | null;
  @Field(() => [String], { description: 'The mail programs concerned; none where all are.' })
  clients: readonly RenderClient[];
  @Field(() => FindingStatusEnum, { description: 'As it stands now.' }) status: FindingStatus;
  @Field(() => GraphQLISODateTime, { nullable: true }) snoozedUntil: Date | null;
  @Field(() => String, { nullable: true }) reason: string | null;
}

@ObjectType('InspectFinding', { description: 'One thing that a run found.' })
export class InspectFindingType extends ToldFindingType {
  @Field({
    description: 'Whether applyFixes mends it while the version that was examined is the current one.',
  })
  fixable: boolean;
  @Field(() => [SourceEditType], {
    description: 'What applyFixes would do in the version that was examined.',
  })
  edits: readonly SourceEdit[];
  @Field(() => [SourceEditType], {
    description: 'A guess at what would correct it, for its author to check; applyFixes does not apply it.',
  })
  suggestedEdits: readonly SourceEdit[];
}

@ObjectType('InspectFindingEdge')
class InspectFindingEdgeType extends edge<InspectFindingType>(() => InspectFindingType) {}

@ObjectType('InspectFindingConnection')
export class InspectFindingConnectionType extends connection(() => InspectFindingEdgeType) {
  @Field(() => Int, { description: 'Of all that the filter lets through.' }) totalCount: number;
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
