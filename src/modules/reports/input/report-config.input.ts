/** The config of a report as it is written, section 2.8. Whether its names are known is the catalogue's to say. */
import { DATE_RANGE_PRESETS } from '../../../kernel/date-range.js';
import { AnyJson, Flag, OneOf, Text, Texts } from '../../../platform/input/fields.js';
import { Input } from '../../../platform/input/input-class.js';
import { NestedList } from '../../../platform/input/variants.js';
import { DATA_SOURCES, FILTER_OPERATORS, type MetricFilter } from '../../metrics/domain/question.js';
import { MOST_FILTERS } from '../domain/config-errors.js';
import { CHART_TYPES, DEFAULT_CONFIG, type ReportConfig } from '../domain/report.js';

/** More than any source has. */
const MOST_KEYS = 50;

@Input({ rest: 'ReportFilterFields', graphql: 'ReportFilterInput' })
export class ReportFilterInput {
  @Text({ description: 'The key of a filter of the data source.', example: 'status' }) field: string;
  @Text({ description: FILTER_OPERATORS.join(', '), example: 'equals' }) operator: string;
  @AnyJson({ description: 'A list for in and not_in.', example: 'sent' }) value: unknown;
}

@Input({ rest: 'ReportConfigFields', graphql: 'ReportConfigInput' })
export class ReportConfigInput {
  @OneOf(DATA_SOURCES, { optional: true, default: DEFAULT_CONFIG.dataSource }) dataSource?: string;

  @Texts({ optional: true, max: MOST_KEYS, default: [], description: 'Keys of metrics of the data source.' })
  metrics?: readonly string[];

  @Texts({ optional: true, max: MOST_KEYS, default: [], description: 'Keys of its dimensions.' })
  dimensions?: readonly string[];

  @NestedList(ReportFilterInput, { most: MOST_FILTERS }, { optional: true, default: [] })
  filters?: readonly ReportFilterInput[];

  @OneOf(CHART_TYPES, { optional: true, default: DEFAULT_CONFIG.chartType }) chartType?: string;

  @Flag({ optional: true, default: false, description: 'Whether the period before is always looked at too.' })
  comparisonEnabled?: boolean;

  @OneOf(DATE_RANGE_PRESETS, { optional: true, default: DEFAULT_CONFIG.dateRangeDefault })
  dateRangeDefault?: string;
}

/** The config with defaults for what is left out; `runErrors` and `configErrors` say whether it is one. */
export function configOf(input: ReportConfigInput): ReportConfig {
  return {
    dataSource: (input.dataSource ?? DEFAULT_CONFIG.dataSource) as ReportConfig['dataSource'],
    metrics: input.metrics ?? [],
    dimensions: input.dimensions ?? [],
    filters: (input.filters ?? []).map(
      ({ field, operator, value }) => ({ field, operator, value }) as MetricFilter,
    ),
    chartType: (input.chartType ?? DEFAULT_CONFIG.chartType) as ReportConfig['chartType'],
    comparisonEnabled: input.comparisonEnabled ?? false,
    dateRangeDefault: input.dateRangeDefault ?? DEFAULT_CONFIG.dateRangeDefault,
  };
}
