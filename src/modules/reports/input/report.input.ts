/** The input that creates or changes a report, sections 2.8 and 4.4, shared by REST and GraphQL. */
import { graphqlEnum } from '../../../platform/input/enums.js';
import { blankProblem } from '../../../platform/input/checks.js';
import { Nested, OneOf, Text } from '../../../platform/input/fields.js';
import { Input } from '../../../platform/input/input-class.js';
import { MAX_DESCRIPTION_LENGTH, MAX_NAME_LENGTH } from '../domain/report-limits.js';
import type { ReportChange, ReportContent } from '../domain/report-change.js';
import {
  DEFAULT_CONFIG,
  REPORT_TYPES,
  VISIBILITIES,
  type ReportType,
  type Visibility,
} from '../domain/report.js';
import { configFrom, ReportConfigInput } from './report-config.input.js';

export const ReportTypeEnum = graphqlEnum('ReportType', REPORT_TYPES);
export const ReportVisibilityEnum = graphqlEnum(
  'ReportVisibility',
  VISIBILITIES,
  'A private report is only visible to its creator.',
);

const NAME = { min: 1, max: MAX_NAME_LENGTH, check: blankProblem, example: 'Weekly numbers' } as const;
const UNCHANGED = { optional: true } as const;

@Input({})
class ReportFields {
  @Text({ optional: true, nullable: true, max: MAX_DESCRIPTION_LENGTH }) description?: string | null;
  @OneOf(REPORT_TYPES, { ...UNCHANGED, enumType: ReportTypeEnum, description: 'Defaults to custom.' })
  reportType?: ReportType;

  @OneOf(VISIBILITIES, {
    ...UNCHANGED,
    enumType: ReportVisibilityEnum,
    description: 'Defaults to private, which only the creator can see.',
  })
  visibility?: Visibility;

  @Nested(ReportConfigInput, {
    ...UNCHANGED,
    description: 'Replaced as a whole; omitted fields have their default values.',
  })
  config?: ReportConfigInput;
}

@Input({ rest: 'CreateReportBody', graphql: 'CreateReportInput' })
export class CreateReportInput extends ReportFields {
  @Text(NAME) name: string;
}

@Input({
  rest: 'UpdateReportBody',
  graphql: 'UpdateReportInput',
  description:
    'Omitted fields do not change. A null description is cleared, and config is replaced as a whole.',
})
export class UpdateReportInput extends ReportFields {
  @Text({ ...NAME, ...UNCHANGED }) name?: string;
}

const EMPTY_REPORT: Omit<ReportContent, 'name'> = {
  description: null,
  reportType: 'custom',
  visibility: 'private',
  config: DEFAULT_CONFIG,
};

/** Returns the requested report. */
export function reportContentOf(input: CreateReportInput): ReportContent {
  return { ...EMPTY_REPORT, name: input.name, ...reportChangeOf(input) };
}

/** Returns the requested changes of a report. */
export function reportChangeOf({ config, ...fields }: UpdateReportInput): ReportChange {
  return { ...fields, ...(config === undefined ? {} : { config: configFrom(config) }) };
}
