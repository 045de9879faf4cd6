/** The data of reports in REST (section 4.4) and in GraphQL. Rows are JSON, since each report has its own columns. */
import { oneOf, Out, Output, restOf } from '../../../platform/output/output-class.js';
import { DATA_SOURCES } from '../../metrics/domain/metric-query.js';
import { flatRow, withNumbers, type FlatRow } from '../domain/flat-row.js';
import { CHART_TYPES, REPORT_TYPES } from '../domain/report.js';
import type { ReportData } from '../domain/report-data.js';
import { reportMeasurements, type ReportMeasurements } from '../domain/report-measurements.js';
import { DimensionFieldOutput, ReportDimensionOutput, ReportMetricOutput } from './report-fields.output.js';

const OBJECTS = { type: 'array', items: { type: 'object', additionalProperties: true } } as const;
const ROWS = {
  description:
    'Dimensions and metrics by key, with REST names. Flows, campaigns and templates are objects with id and ' +
    'name, or null if a message has none. A metric that was not measured is null in GraphQL and 0 in REST.',
  example: [{ date: '2026-03-01', sent: 120, open_rate: 41.67 }],
} as const;
const TOTALS = { additionalProperties: { type: 'number' } } as const;
const NOT_MEASURED = 'A metric that was not measured is null in GraphQL and 0 in REST.';

const MEASURED = {
  nullable: true,
  api: {
    additionalProperties: undefined,
    properties: { totals: { type: 'object', additionalProperties: true }, rows: OBJECTS },
  },
  description:
    'For each metric that was measured for only some of the messages: how many were measured, out of how ' +
    'many; for the totals and each row. If `measured` is 0 and `of` is not, the value is unknown. Null if ' +
    'everything was measured.',
  example: {
    totals: { open_rate: { measured: 0, of: 120 } },
    rows: [{ open_rate: { measured: 0, of: 120 } }],
  },
} as const;

@Output({ rest: 'ReportRangeResponse', graphql: 'ReportRange' })
class ReportRangeOutput {
  @Out('String', { nullable: true, description: 'Null if dates were given.' }) preset: string | null;
  @Out('DateTime') from: Date;
  @Out('DateTime') to: Date;
}

@Output({ rest: 'ReportComparisonResponse', graphql: 'ReportComparison' })
class ReportComparisonOutput {
  @Out(ReportRangeOutput, { inRest: { name: 'dateRange' } }) range: ReportRangeOutput;
  @Out('JSON', { description: `One number per metric. ${NOT_MEASURED}`, api: TOTALS })
  totals: ReportData['totals'];
  @Out('JSON', {
    description:
      'Percentage change per metric. Null if the previous value was 0, or if either value was not measured.',
    api: { additionalProperties: { type: 'number', nullable: true } },
  })
  change: ReportData['totals'];
  @Out(['JSON'], ROWS) rows: readonly FlatRow[];
  @Out('JSON', MEASURED) measured: ReportMeasurements | null;
}

@Output({
  graphql: 'ReportAnomaly',
  description: 'A day or week outside the range that is usual for the preceding weeks.',
})
class ReportAnomalyOutput {
  @Out('String', { description: 'Key of the metric.' }) metric: string;
  @Out('String', { description: 'The date, or the first day of the week.' }) at: string;
  @Out('Float') value: number;
  @Out('Float') low: number;
  @Out('Float') high: number;
}

@Output({ rest: 'ReportDataResponse', graphql: 'ReportData' })
export class ReportDataOutput {
  @Out('ID', { nullable: true, description: 'Null for an ad-hoc query.' }) reportId: string | null;
  @Out(oneOf(REPORT_TYPES)) reportType: string;
  @Out(oneOf(DATA_SOURCES)) dataSource: string;
  @Out(oneOf(CHART_TYPES)) chartType: string;
  @Out(ReportRangeOutput, { inRest: { name: 'dateRange' } }) range: ReportRangeOutput;
  @Out('DateTime') generatedAt: Date;
  @Out('Boolean', { description: 'Whether the result comes from the cache.' }) cached: boolean;
  @Out([ReportMetricOutput]) metrics: readonly ReportMetricOutput[];
  @Out([DimensionFieldOutput], { inRest: { type: [ReportDimensionOutput] } })
  dimensions: readonly DimensionFieldOutput[];
  @Out(['JSON'], ROWS) rows: readonly FlatRow[];
  @Out('JSON', {
    description:
      'One number per metric, over all rows, including those that are not returned. ' + NOT_MEASURED,
    api: TOTALS,
  })
  totals: ReportData['totals'];
  @Out(ReportComparisonOutput, { nullable: true }) comparison: ReportComparisonOutput | null;
  @Out('Boolean', { description: 'Whether there are more than the 1,000 rows returned.' })
  truncated: boolean;
  @Out('JSON', MEASURED) measured: ReportMeasurements | null;
  @Out([ReportAnomalyOutput], { only: 'graphql' }) anomalies: readonly ReportAnomalyOutput[];
}

/** The data in REST, for everyone who may see it. */
export function reportDataInRest(data: ReportData): object {
  return restOf(ReportDataOutput, reportDataOutput(withNumbers(data)));
}

export function reportDataOutput({ rows, measured, comparison, ...data }: ReportData): ReportDataOutput {
  return {
    ...data,
    rows: rows.map(flatRow),
    measured: reportMeasurements({ measured, rows }),
    comparison: comparison && {
      ...comparison,
      rows: comparison.rows.map(flatRow),
      measured: reportMeasurements(comparison),
    },
  };
}
