/** Of which period the data of a report is asked, section 4.4: dates are judged by the period's own rules. */
import { DATE_RANGE_PRESETS, DEFAULT_DATE_RANGE } from '../../../kernel/date-range.js';
import { AnyJson, Flag, Nested, Sought, Text, Unjudged } from '../../../platform/input/fields.js';
import { Arguments, Input } from '../../../platform/input/input-class.js';
import type { DataRequest } from '../domain/data-request.js';
import { ReportConfigInput } from './report-config.input.js';

const FROM = {
  optional: true,
  example: '2026-03-01',
  description: 'ISO 8601 date or date-time, in UTC where it has no offset. Alone it reaches until now.',
} as const;
const TO = {
  optional: true,
  example: '2026-03-31',
  description:
    "As from_date; a date without a time is that whole day. Alone it has date_range's length before it.",
} as const;
const PRESET = {
  optional: true,
  choices: DATE_RANGE_PRESETS,
  description: 'The report’s own where it is left out; ignored when both dates are given.',
} as const;
const COMPARE = {
  optional: true,
  description:
    'Whether the equally long period before is looked at too; as the config says where it is left out.',
} as const;

@Input({})
export class ReportPeriodQuery implements DataRequest {
  @Unjudged(FROM) fromDate?: unknown;
  @Unjudged(TO) toDate?: unknown;
  @Unjudged(PRESET) dateRange?: unknown;
}

@Input({})
export class ReportDataQuery extends ReportPeriodQuery {
  @Flag(COMPARE) compare?: boolean;
}

@Input({ rest: 'ReportQueryFields' })
export class ReportQueryInput extends ReportDataQuery {
  @Nested(ReportConfigInput) config: ReportConfigInput;
  @Unjudged({ ...PRESET, default: DEFAULT_DATE_RANGE }) declare dateRange?: unknown;
}

@Arguments()
class ReportPeriodArgs {
  @Unjudged(FROM) fromDate?: unknown;
  @Unjudged(TO) toDate?: unknown;
  @Unjudged(PRESET) dateRange?: unknown;
}

@Arguments()
export class ReportDataArgs extends ReportPeriodArgs {
  @Sought({ isId: true, description: 'The report.' }) id: string;
  @Flag(COMPARE) compare?: boolean;
}

@Arguments()
export class ReportQueryArgs extends ReportPeriodArgs {
  @Nested(ReportConfigInput) config: ReportConfigInput;
  @Flag(COMPARE) compare?: boolean;
}

@Arguments()
export class ExplainNumberArgs extends ReportPeriodArgs {
  @Sought({ optional: true, isId: true, description: 'The report; or a config, one of both.' })
  reportId?: string;
  @Nested(ReportConfigInput, { optional: true }) config?: ReportConfigInput;
  @Text({ description: 'The key of the metric.' }) metric: string;
  @AnyJson({
    optional: true,
    description: 'The dimensions of the row that is asked about, as the row has them; none for a total.',
  })
  row?: unknown;
}
