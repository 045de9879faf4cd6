/** The metrics, dimensions and filters of reports in REST (section 4.4) and in GraphQL. */
import { oneOf, Out, Output } from '../../../platform/output/output-class.js';
import { DATA_SOURCES, FILTER_OPERATORS } from '../../metrics/domain/metric-query.js';

const FORMATS = ['number', 'percent', 'hours'] as const;
const DIMENSION_TYPES = ['time', 'text', 'boolean'] as const;

@Output({ rest: 'ReportMetricResponse', graphql: 'ReportMetric' })
export class ReportMetricOutput {
  @Out('String') key: string;
  @Out('String') label: string;
  @Out(oneOf(FORMATS), { description: 'number, percent or hours' }) format: string;
}

@Output({ rest: 'ReportDimensionResponse' })
export class ReportDimensionOutput {
  @Out('String') key: string;
  @Out('String') label: string;
}

@Output({ rest: 'FieldMetricResponse', graphql: 'ReportMetricField' })
class MetricFieldOutput extends ReportMetricOutput {
  @Out('String') description: string;
}

@Output({ rest: 'FieldDimensionResponse', graphql: 'ReportDimensionField' })
export class DimensionFieldOutput extends ReportDimensionOutput {
  @Out(oneOf(DIMENSION_TYPES), { description: 'time, text or boolean' }) type: string;
}

@Output({ rest: 'FieldFilterResponse', graphql: 'ReportFilterField' })
class FilterFieldOutput extends DimensionFieldOutput {
  @Out([oneOf(FILTER_OPERATORS)]) operators: readonly string[];
  @Out('JSON', {
    optional: true,
    description: 'All possible values, if there are few.',
    inRest: { type: ['JSON'] },
    api: { items: { oneOf: [{ type: 'string' }, { type: 'number' }] } },
  })
  values?: readonly (string | number)[];
}

@Output({ rest: 'DataSourceResponse', graphql: 'ReportSource' })
export class DataSourceOutput {
  @Out(oneOf(DATA_SOURCES)) key: string;
  @Out('String') label: string;
  @Out([MetricFieldOutput]) metrics: readonly MetricFieldOutput[];
  @Out([DimensionFieldOutput]) dimensions: readonly DimensionFieldOutput[];
  @Out([FilterFieldOutput]) filters: readonly FilterFieldOutput[];
}

@Output({ rest: 'ReportFieldsResponse' })
export class ReportFieldsOutput {
  @Out([DataSourceOutput]) dataSources: readonly DataSourceOutput[];
}
