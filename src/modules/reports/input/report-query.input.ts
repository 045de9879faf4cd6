/** The period of a report request, section 4.4. The rules of the period itself validate the dates. */
import { DATE_RANGE_PRESETS, DEFAULT_DATE_RANGE } from '../../../kernel/date-range.js';
import { AnyJson, Flag, Nested, SearchText, Text, Unvalidated } from '../../../platform/input/fields.js';
import { Arguments, Input } from '../../../platform/input/input-class.js';
import type { DataRequest } from '../domain/data-request.js';
import { ReportConfigInput } from './report-config.input.js';

const FROM = {
  optional: true,
  example: '2026-03-01',
  description:
    'ISO 8601 date or date-time; UTC unless it has an offset. Without an end date, the range ends now.',
} as const;
const TO = {
  optional: true,
  example: '2026-03-31',
  description:
    'ISO 8601 date or date-time; a date without a time includes the whole day. Without a start date, the ' +
    'range is as long as date_range.',
} as const;
const PRESET = {
  optional: true,
  choices: DATE_RANGE_PRESETS,
  description: 'Defaults to the report’s own range. Ignored if both dates are given.',
} as const;
const COMPARE = {
  optional: true,
  description:
    'Whether to compare with the preceding period of equal length. Defaults to the config’s setting.',
} as const;

@Input({})
export class ReportPeriodQuery implements DataRequest {
  @Unvalidated(FROM) fromDate?: unknown;
  @Unvalidated(TO) toDate?: unknown;
  @Unvalidated(PRESET) dateRange?: unknown;
}

@Input({})
export class ReportDataQuery extends ReportPeriodQuery {
  @Flag(COMPARE) compare?: boolean;
}

@Input({ rest: 'ReportQueryFields' })
export class ReportQueryInput extends ReportDataQuery {
  @Nested(ReportConfigInput) config: ReportConfigInput;
  @Unvalidated({ ...PRESET, default: DEFAULT_DATE_RANGE }) declare dateRange?: unknown;
}

@Arguments()
class ReportPeriodArgs {
  @Unvalidated(FROM) fromDate?: unknown;
  @Unvalidated(TO) toDate?: unknown;
  @Unvalidated(PRESET) dateRange?: unknown;
}

@Arguments()
export class ReportDataArgs extends ReportPeriodArgs {
  @SearchText({ isId: true, description: 'ID of the report.' }) id: string;
  @Flag(COMPARE) compare?: boolean;
}

@Arguments()
export class ReportQueryArgs extends ReportPeriodArgs {
  @Nested(ReportConfigInput) config: ReportConfigInput;
  @Flag(COMPARE) compare?: boolean;
}

@Arguments()
export class ExplainNumberArgs extends ReportPeriodArgs {
  @SearchText({ optional: true, isId: true, description: 'ID of a report. Give either this or a config.' })
  reportId?: string;
  @Nested(ReportConfigInput, { optional: true }) config?: ReportConfigInput;
  @Text({ description: 'Key of the metric.' }) metric: string;
  @AnyJson({
    optional: true,
    description: 'The dimensions of the row in question, as returned in the row. Omit for a total.',
  })
  row?: unknown;
}
