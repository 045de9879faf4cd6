/** Input for requesting runs and for filtering findings (section 4.7). */
import { blankProblem } from '../../../platform/input/checks.js';
import { graphqlEnum } from '../../../platform/input/enums.js';
import { Nested, OneOf, SearchText, Text, Integer } from '../../../platform/input/fields.js';
import { Arguments, Input } from '../../../platform/input/input-class.js';
import { Limit, Offset, PageArgs } from '../../../platform/input/page.input.js';
import { FINDING_STATUSES, type FindingStatus } from '../domain/findings/finding-mark.js';
import {
  MAX_FINDINGS_LIMIT,
  DEFAULT_FINDINGS_LIMIT,
  type FindingFilter,
} from '../domain/findings/inspect-finding.js';
import {
  INSPECT_CHANNELS,
  INSPECT_MODES,
  JOB_STATUSES,
  type InspectChannel,
  type InspectMode,
  type RunRequest,
} from '../domain/runs/inspect-job.js';
import { FINDING_CODES } from '../domain/rules/catalogue.js';
import {
  FINDING_CATEGORIES,
  FINDING_SEVERITIES,
  type FindingCategory,
  type FindingSeverity,
} from '../domain/rules/rule.js';
import { MAX_LINE_LENGTH, MAX_REASON_LENGTH, MAX_SNOOZE_DAYS } from '../domain/runs/run-bounds.js';

export const InspectChannelEnum = graphqlEnum('InspectChannel', INSPECT_CHANNELS);
export const InspectModeEnum = graphqlEnum('InspectMode', INSPECT_MODES);
export const JobStatusEnum = graphqlEnum('InspectJobStatus', JOB_STATUSES);
export const FindingSeverityEnum = graphqlEnum('FindingSeverity', FINDING_SEVERITIES);
export const FindingCategoryEnum = graphqlEnum('FindingCategory', FINDING_CATEGORIES);
export const FindingStatusEnum = graphqlEnum('FindingStatus', FINDING_STATUSES);

/** Maximum number of characters of a slug and of a contact's id. */
const MAX_NAME_LENGTH = 255;

@Input({ rest: 'RunInspectionBody', graphql: 'RunInspectionInput' })
export class RunInspectionInput {
  @Text({ min: 1, max: MAX_NAME_LENGTH, example: 'welcome' }) templateSlug: string;

  @OneOf(INSPECT_CHANNELS, { enumType: InspectChannelEnum, fallback: 'email' }) channel: InspectChannel;

  @OneOf(INSPECT_MODES, {
    enumType: InspectModeEnum,
    fallback: 'full',
    description:
      'full: with renderings in mail programs, for one credit per version. quick: without renderings, free of ' +
      'charge.',
  })
  mode: InspectMode;

  @Text({
    optional: true,
    nullable: 'absent',
    max: MAX_LINE_LENGTH,
    description: 'Used instead of the template’s subject. Email only.',
  })
  subject?: string;

  @Text({
    optional: true,
    nullable: 'absent',
    max: MAX_LINE_LENGTH,
    description: 'The preview text that mail programs show next to the subject. Email only.',
  })
  preheader?: string;

  @Text({
    optional: true,
    nullable: 'absent',
    min: 1,
    max: MAX_NAME_LENGTH,
    description:
      'ID or external_id of a contact in the environment whose data is used for rendering. Sample values are ' +
      'used if omitted.',
  })
  contactId?: string;
}

/** A blank subject or preheader counts as absent. */
export function runRequestOf(input: RunInspectionInput): RunRequest {
  const { templateSlug, channel, mode, subject = '', preheader = '', contactId = null } = input;
  const lineOf = (text: string): string | null => (text.trim() === '' ? null : text);
  return { templateSlug, channel, mode, subject: lineOf(subject), preheader: lineOf(preheader), contactId };
}

@Input({ graphql: 'InspectFindingFilterInput' }, { nullIsAbsent: true })
export class FindingFilterInput implements FindingFilter {
  @OneOf(FINDING_SEVERITIES, { optional: true, enumType: FindingSeverityEnum }) severity?: FindingSeverity;
  @OneOf(FINDING_CATEGORIES, { optional: true, enumType: FindingCategoryEnum }) category?: FindingCategory;
  @OneOf(FINDING_CODES, { optional: true, example: 'LK001' }) code?: string;
  @OneOf(FINDING_STATUSES, { optional: true, enumType: FindingStatusEnum }) status?: FindingStatus;
}

@Input({})
export class FindingListQuery extends FindingFilterInput {
  @Limit(DEFAULT_FINDINGS_LIMIT, MAX_FINDINGS_LIMIT) limit: number;
  @Offset() offset: number;
}

@Arguments()
export class InspectFindingsArgs extends PageArgs {
  @SearchText({ isId: true }) jobId: string;
  @Nested(FindingFilterInput, { fallback: {} }) filter: FindingFilterInput;
}

@Arguments()
export class InspectJobsArgs extends PageArgs {
  @SearchText({ max: MAX_NAME_LENGTH }) templateSlug: string;
}

const REASON = {
  optional: true,
  nullable: 'absent',
  max: MAX_REASON_LENGTH,
  check: blankProblem,
  description: 'The reason, shown with the finding.',
} as const;

@Input({ rest: 'SnoozeFindingBody', graphql: 'SnoozeFindingInput' })
export class SnoozeFindingInput {
  @Integer({ min: 1, max: MAX_SNOOZE_DAYS, description: 'Number of days until the finding reopens.' })
  days: number;
  @Text(REASON) reason?: string;
}

@Input({ rest: 'MarkFixedBody' }, { mayBeAbsent: true })
export class MarkFixedInput {}

@Input({ rest: 'MarkFalsePositiveBody', graphql: 'MarkFalsePositiveInput' }, { mayBeAbsent: true })
export class MarkFalsePositiveInput {
  @Text(REASON) reason?: string;
}
