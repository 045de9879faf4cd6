/** The GraphQL types of report data. Rows are JSON, since each report has its own columns. */
import { Field, Float, GraphQLISODateTime, ID, ObjectType } from '@nestjs/graphql';
import { JsonScalar } from '../../../platform/input/json.scalar.js';
import type { HomeMetrics } from '../application/home-metrics.js';
import type { Explanation } from '../domain/explanation.js';
import type { ReportData, ReportRange } from '../domain/report-data.js';
import { reportMeasurements } from '../domain/report-measurements.js';
import { flatRow } from '../domain/flat-row.js';

@ObjectType('ReportMetricField')
export class ReportMetricFieldType {
  @Field() key: string;
  @Field() label: string;
  @Field() description: string;
  @Field({ description: 'number, percent or hours' }) format: string;
}

@ObjectType('ReportDimensionField')
export class ReportDimensionFieldType {
  @Field() key: string;
  @Field() label: string;
  @Field({ description: 'time, text or boolean' }) type: string;
}

@ObjectType('ReportFilterField')
export class ReportFilterFieldType extends ReportDimensionFieldType {
  @Field(() => [String]) operators: readonly string[];
  @Field(() => JsonScalar, {
    nullable: true,
    description: 'All possible values, if there are few. Null otherwise.',
  })
  values?: unknown;
}

@ObjectType('ReportSource')
export class ReportDataSourceType {
  @Field() key: string;
  @Field() label: string;
  @Field(() => [ReportMetricFieldType]) metrics: readonly ReportMetricFieldType[];
  @Field(() => [ReportDimensionFieldType]) dimensions: readonly ReportDimensionFieldType[];
  @Field(() => [ReportFilterFieldType]) filters: readonly ReportFilterFieldType[];
}

@ObjectType('ReportRange')
export class ReportRangeType {
  @Field(() => String, { nullable: true, description: 'Null if dates were given.' }) preset: string | null;
  @Field(() => GraphQLISODateTime) from: Date;
  @Field(() => GraphQLISODateTime) to: Date;
}

@ObjectType('ReportMetric')
export class ReportMetricType {
  @Field() key: string;
  @Field() label: string;
  @Field({ description: 'number, percent or hours' }) format: string;
}

const MEASURED =
  'For metrics that were measured for only some of the messages: how many were measured, out of how many; ' +
  '`totals`, and `rows` in order. Null if everything was measured.';

@ObjectType('ReportComparison')
export class ReportComparisonType {
  @Field(() => ReportRangeType) range: ReportRangeType;
  @Field(() => JsonScalar, { description: 'One number per metric. Null if it was not measured.' })
  totals: unknown;
  @Field(() => JsonScalar, { nullable: true, description: MEASURED }) measured: unknown;
  @Field(() => JsonScalar, {
    description:
      'Percentage change per metric. Null if the previous value was 0, or if either value was not measured.',
  })
  change: unknown;
  @Field(() => [JsonScalar]) rows: readonly unknown[];
}

@ObjectType('ReportAnomaly', {
  description: 'A day or week outside the range that is usual for the preceding weeks.',
})
export class ReportAnomalyType {
  @Field({ description: 'Key of the metric.' }) metric: string;
  @Field({ description: 'The date, or the first day of the week.' }) at: string;
  @Field(() => Float) value: number;
  @Field(() => Float) low: number;
  @Field(() => Float) high: number;
}

@ObjectType('ReportData')
export class ReportDataType {
  @Field(() => ID, { nullable: true, description: 'Null for an ad-hoc query.' }) reportId: string | null;
  @Field() reportType: string;
  @Field() dataSource: string;
  @Field() chartType: string;
  @Field(() => ReportRangeType) range: ReportRangeType;
  @Field(() => GraphQLISODateTime) generatedAt: Date;
  @Field() cached: boolean;
  @Field(() => [ReportMetricType]) metrics: readonly ReportMetricType[];
  @Field(() => [ReportDimensionFieldType]) dimensions: readonly ReportDimensionFieldType[];
  @Field(() => [JsonScalar], {
    description: 'Dimensions and metrics by key, with REST names. Null if a metric was not measured.',
  })
  rows: readonly unknown[];
  @Field(() => JsonScalar, {
    description: 'One number per metric, over all rows. Null if it was not measured.',
  })
  totals: unknown;
  @Field(() => JsonScalar, { nullable: true, description: MEASURED }) measured: unknown;
  @Field(() => ReportComparisonType, { nullable: true }) comparison: ReportComparisonType | null;
  @Field() truncated: boolean;
  @Field(() => [ReportAnomalyType]) anomalies: readonly ReportAnomalyType[];
}

@ObjectType('NumberCounter')
class NumberCounterType {
  @Field() key: string;
  @Field() label: string;
  @Field(() => Float) value: number;
}

@ObjectType('CountedRow')
class CountedRowType {
  @Field(() => ID) id: string;
  @Field(() => GraphQLISODateTime, {
    nullable: true,
    description: 'The time at which the row counts. Null for current values.',
  })
  at: Date | null;
  @Field(() => JsonScalar, { description: 'Addresses are masked without permission to read contacts.' })
  fields: unknown;
}

@ObjectType('NumberExplanation', { description: 'What a number means and which rows it counts.' })
export class NumberExplanationType {
  @Field() metric: string;
  @Field() label: string;
  @Field() definition: string;
  @Field() formula: string;
  @Field(() => Float, { nullable: true, description: 'Null if it was not measured.' }) value: number | null;
  @Field(() => [NumberCounterType]) counters: readonly NumberCounterType[];
  @Field(() => String, { nullable: true, description: 'Which rows are counted, as text. Null if all are.' })
  filter: string | null;
  @Field(() => GraphQLISODateTime) from: Date;
  @Field(() => GraphQLISODateTime) to: Date;
  @Field(() => [CountedRowType], { description: 'At most 20 of the rows counted.' })
  sample: readonly CountedRowType[];
}

@ObjectType('HomeSeriesPoint')
class HomeSeriesPointType {
  @Field() date: string;
  @Field(() => Float, { nullable: true, description: 'Null if it was not measured.' }) value: number | null;
}

@ObjectType('HomeFigure')
class HomeFigureType {
  @Field() dataSource: string;
  @Field() metric: string;
  @Field() label: string;
  @Field() format: string;
  @Field(() => Float, { nullable: true, description: 'Null if it was not measured.' }) value: number | null;
  @Field(() => Float, {
    nullable: true,
    description: 'Percentage change from the previous thirty days. Null if it cannot be calculated.',
  })
  change: number | null;
  @Field(() => [HomeSeriesPointType], {
    description: 'Daily values. Empty for metrics of the current state.',
  })
  series: readonly HomeSeriesPointType[];
}

@ObjectType('HomeFigures')
export class HomeFiguresType {
  @Field(() => GraphQLISODateTime) from: Date;
  @Field(() => GraphQLISODateTime) to: Date;
  @Field(() => [HomeFigureType]) figures: readonly HomeFigureType[];
}

export function reportDataType({ comparison, rows, ...data }: ReportData): ReportDataType {
  return {
    ...data,
    range: rangeType(data.range),
    rows: rows.map(flatRow),
    measured: reportMeasurements({ measured: data.measured, rows }),
    comparison: comparison && {
      ...comparison,
      range: rangeType(comparison.range),
      rows: comparison.rows.map(flatRow),
      measured: reportMeasurements(comparison),
    },
  };
}

export function explanationType({ metric, range, ...explanation }: Explanation): NumberExplanationType {
  const { key, label, description } = metric;
  return { ...explanation, ...range, metric: key, label, definition: description };
}

export function homeFiguresType({ range: { from, to }, figures }: HomeMetrics): HomeFiguresType {
  return { from, to, figures };
}

function rangeType({ preset, from, to }: ReportRange): ReportRangeType {
  return { preset, from, to };
}
