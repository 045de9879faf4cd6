/** The input of a report's config, section 2.8, shared by REST and GraphQL. */
import { DATE_RANGE_PRESETS, type DateRangePreset } from '../../../kernel/date-range.js';
import { isStorableText } from '../../../kernel/json.js';
import { isLonger } from '../../../kernel/text-length.js';
import { graphqlEnum } from '../../../platform/input/enums.js';
import { AnyJson, Flag, OneOf, Text, Texts } from '../../../platform/input/fields.js';
import { Input } from '../../../platform/input/input-class.js';
import { NestedList } from '../../../platform/input/variants.js';
import {
  DATA_SOURCES,
  FILTER_OPERATORS,
  type DataSource,
  type FilterOperator,
  type MetricFilter,
} from '../../metrics/domain/metric-query.js';
import {
  MAX_KEY_LENGTH,
  MAX_VALUE_LENGTH,
  MAX_DIMENSIONS,
  MAX_FILTERS,
  MAX_METRICS,
  MAX_FILTER_VALUES,
} from '../domain/report-limits.js';
import { CHART_TYPES, DEFAULT_CONFIG, type ChartType, type ReportConfig } from '../domain/report.js';

export const ReportDataSourceEnum = graphqlEnum('ReportDataSource', DATA_SOURCES);
export const ReportChartTypeEnum = graphqlEnum('ReportChartType', CHART_TYPES);
export const MetricFilterOperatorEnum = graphqlEnum('MetricFilterOperator', FILTER_OPERATORS);

/** Operators whose value is a list. */
const LIST_OPERATORS: readonly FilterOperator[] = ['in', 'not_in'];

function valueProblem(value: unknown): string | undefined {
  if (!Array.isArray(value)) return itemProblem(value);
  if (value.length === 0 || value.length > MAX_FILTER_VALUES)
    return `must contain 1 to ${MAX_FILTER_VALUES} values`;
  return value.map(itemProblem).find((problem) => problem !== undefined);
}

function itemProblem(value: unknown): string | undefined {
  if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))) return undefined;
  if (typeof value !== 'string') return 'must be a string, a number, true or false, or a list of these';
  if (isLonger(value, MAX_VALUE_LENGTH)) return `must be at most ${MAX_VALUE_LENGTH} characters long`;
  return isStorableText(value) ? undefined : 'must not hold NUL or half characters';
}

/** Reports an operator and a value that are each valid, but not together. */
function mismatch({ operator, value }: MetricFilter): string | undefined {
  if (LIST_OPERATORS.includes(operator))
    return Array.isArray(value) ? undefined : `must be a list for ${operator}`;
  if (Array.isArray(value)) return `must be a single value for ${operator}`;
  return operator === 'contains' && typeof value !== 'string' ? 'must be a string for contains' : undefined;
}

@Input(
  { rest: 'MetricFilterFields', graphql: 'MetricFilterInput' },
  {
    together: (input) => {
      const message = mismatch(input as MetricFilterInput);
      return message === undefined ? [] : [{ member: 'value', message }];
    },
  },
)
export class MetricFilterInput implements MetricFilter {
  @Text({
    min: 1,
    max: MAX_KEY_LENGTH,
    example: 'content_type',
    description: 'A dimension of the data source.',
  })
  field: string;

  @OneOf(FILTER_OPERATORS, { enumType: MetricFilterOperatorEnum }) operator: FilterOperator;

  @AnyJson({ check: valueProblem, example: 'promotional', description: 'A list for in and not_in.' })
  value: MetricFilter['value'];
}

/** Has a default if absent. */
const OPTIONAL = { optional: true, nullable: 'absent' } as const;

function keyProblem(keys: readonly string[]): string | undefined {
  return keys.every((key) => key !== '' && !isLonger(key, MAX_KEY_LENGTH) && isStorableText(key))
    ? undefined
    : `must contain names of 1 to ${MAX_KEY_LENGTH} characters`;
}

@Input({
  rest: 'ReportConfigFields',
  graphql: 'ReportConfigInput',
  description: 'Omitted fields have their default values.',
})
export class ReportConfigInput {
  @OneOf(DATA_SOURCES, { ...OPTIONAL, enumType: ReportDataSourceEnum, default: DEFAULT_CONFIG.dataSource })
  dataSource?: DataSource;

  @Texts({
    ...OPTIONAL,
    max: MAX_METRICS,
    check: keyProblem,
    default: [],
    example: ['sent', 'open_rate'],
    description:
      'Rows are ordered by the first metric unless there is a time dimension. At least one metric is needed to ' +
      'run the report.',
  })
  metrics?: readonly string[];

  @Texts({ ...OPTIONAL, max: MAX_DIMENSIONS, check: keyProblem, default: [], example: ['date'] })
  dimensions?: readonly string[];

  @NestedList(MetricFilterInput, { most: MAX_FILTERS }, { ...OPTIONAL, default: [] })
  filters?: readonly MetricFilterInput[];

  @OneOf(CHART_TYPES, { ...OPTIONAL, enumType: ReportChartTypeEnum, default: DEFAULT_CONFIG.chartType })
  chartType?: ChartType;

  @Flag({ ...OPTIONAL, default: false, description: 'Compares with the previous period by default.' })
  comparisonEnabled?: boolean;

  @OneOf(DATE_RANGE_PRESETS, {
    ...OPTIONAL,
    default: DEFAULT_CONFIG.dateRangeDefault,
    description: DATE_RANGE_PRESETS.join(', '),
  })
  dateRangeDefault?: DateRangePreset;
}

/** Returns the requested config, with defaults for absent fields. */
export function configFrom({ filters, ...fields }: ReportConfigInput): ReportConfig {
  return {
    ...DEFAULT_CONFIG,
    ...fields,
    filters: (filters ?? []).map(({ field, operator, value }) => ({ field, operator, value })),
  };
}
