/** What reports show, as the dashboard sees it; rows are JSON, since each report has its own. */
import { Field, Float, GraphQLISODateTime, ID, ObjectType } from '@nestjs/graphql';
import { JsonScalar } from '../../../platform/input/json.scalar.js';
import type { HomeFigures } from '../application/home-figures.js';
import type { Explanation } from '../domain/explanation.js';
import type { ReportData, ShownRange } from '../domain/report-data.js';
import { shownMeasured } from '../domain/shown-measured.js';
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
  @Field(() => JsonScalar, { nullable: true, description: 'All values that there are, where these are few.' })
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
  @Field(() => String, { nullable: true, description: 'Null where dates were given.' }) preset: string | null;
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
  'Of metrics of which not all messages were measured, how many of how many were: `totals`, and `rows` in order. Null where all were.';

@ObjectType('ReportComparison')
export class ReportComparisonType {
  @Field(() => ReportRangeType) range: ReportRangeType;
  @Field(() => JsonScalar, { description: 'A number for each metric, or null where it was not measured.' })
  totals: unknown;
  @Field(() => JsonScalar, { nullable: true, description: MEASURED }) measured: unknown;
  @Field(() => JsonScalar, {
    description: 'Percent for each metric, or null where there was nothing before, or it was not measured.',
  })
  change: unknown;
  @Field(() => [JsonScalar]) rows: readonly unknown[];
}

@ObjectType('ReportAnomaly', {
  description: 'A day or a week that lies outside of what the weeks before make usual.',
})
export class ReportAnomalyType {
  @Field({ description: 'The key of the metric.' }) metric: string;
  @Field({ description: 'The date, or the first day of the week.' }) at: string;
  @Field(() => Float) value: number;
  @Field(() => Float) low: number;
  @Field(() => Float) high: number;
}

@ObjectType('ReportData')
export class ReportDataType {
  @Field(() => ID, { nullable: true, description: 'Null of a query.' }) reportId: string | null;
  @Field() reportType: string;
  @Field() dataSource: string;
  @Field() chartType: string;
  @Field(() => ReportRangeType) range: ReportRangeType;
  @Field(() => GraphQLISODateTime) generatedAt: Date;
  @Field() cached: boolean;
  @Field(() => [ReportMetricType]) metrics: readonly ReportMetricType[];
  @Field(() => [ReportDimensionFieldType]) dimensions: readonly ReportDimensionFieldType[];
  @Field(() => [JsonScalar], {
    description:
      'Dimensions and metrics by their keys, as REST has them; null where a metric was not measured.',
  })
  rows: readonly unknown[];
  @Field(() => JsonScalar, {
    description: 'A number for each metric, of everything; null where it was not measured.',
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
  @Field(() => GraphQLISODateTime, { nullable: true, description: 'When it counts; null of what is so now.' })
  at: Date | null;
  @Field(() => JsonScalar, { description: 'Addresses are masked for whoever may not read contacts.' })
  fields: unknown;
}

@ObjectType('NumberExplanation', { description: 'What a number means, and what it was counted of.' })
export class NumberExplanationType {
  @Field() metric: string;
  @Field() label: string;
  @Field() definition: string;
  @Field() formula: string;
  @Field(() => Float, { nullable: true, description: 'Null where nobody measured it.' }) value: number | null;
  @Field(() => [NumberCounterType]) counters: readonly NumberCounterType[];
  @Field(() => String, { nullable: true, description: 'What alone is counted, in words.' }) filter:
    string | null;
  @Field(() => GraphQLISODateTime) from: Date;
  @Field(() => GraphQLISODateTime) to: Date;
  @Field(() => [CountedRowType], { description: 'At most 20 of the rows behind it.' })
  sample: readonly CountedRowType[];
}

@ObjectType('HomeSeriesPoint')
class HomeSeriesPointType {
  @Field() date: string;
  @Field(() => Float, { nullable: true, description: 'Null where nobody measured it.' }) value: number | null;
}

@ObjectType('HomeFigure')
class HomeFigureType {
  @Field() dataSource: string;
  @Field() metric: string;
  @Field() label: string;
  @Field() format: string;
  @Field(() => Float, { nullable: true, description: 'Null where nobody measured it.' }) value: number | null;
  @Field(() => Float, { nullable: true, description: 'Percent against the thirty days before.' }) change:
    number | null;
  @Field(() => [HomeSeriesPointType], { description: 'Day by day; empty of what is so now.' })
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
    measured: shownMeasured({ measured: data.measured, rows }),
    comparison: comparison && {
      ...comparison,
      range: rangeType(comparison.range),
      rows: comparison.rows.map(flatRow),
      measured: shownMeasured(comparison),
    },
  };
}

export function explanationType({ metric, range, ...explanation }: Explanation): NumberExplanationType {
  const { key, label, description } = metric;
  return { ...explanation, ...range, metric: key, label, definition: description };
}

export function homeFiguresType({ range: { from, to }, figures }: HomeFigures): HomeFiguresType {
  return { from, to, figures };
}

function rangeType({ preset, from, to }: ShownRange): ReportRangeType {
  return { preset, from, to };
}
