/** The metrics of the start page in GraphQL. */
import { Out, Output } from '../../../platform/output/output-class.js';

@Output({ graphql: 'HomeSeriesPoint' })
class HomeSeriesPointOutput {
  @Out('String') date: string;
  @Out('Float', { nullable: true, description: 'Null if it was not measured.' }) value: number | null;
}

@Output({ graphql: 'HomeFigure' })
class HomeMetricOutput {
  @Out('String') dataSource: string;
  @Out('String') metric: string;
  @Out('String') label: string;
  @Out('String') format: string;
  @Out('Float', { nullable: true, description: 'Null if it was not measured.' }) value: number | null;
  @Out('Float', {
    nullable: true,
    description: 'Percentage change from the previous thirty days. Null if it cannot be calculated.',
  })
  change: number | null;
  @Out([HomeSeriesPointOutput], { description: 'Daily values. Empty for metrics of the current state.' })
  series: readonly HomeSeriesPointOutput[];
}

@Output({ graphql: 'HomeFigures' })
export class HomeMetricsOutput {
  @Out('DateTime') from: Date;
  @Out('DateTime') to: Date;
  @Out([HomeMetricOutput]) figures: readonly HomeMetricOutput[];
}
