/** The catalogue as users see it when they configure a report, section 4.4. */
import { CATALOGUE } from '../../metrics/domain/catalogue.js';
import { operatorsOf } from '../../metrics/domain/catalogue/source.js';
import type { FilterOperator } from '../../metrics/domain/metric-query.js';
import type { DimensionType, ReportDimension, ReportMetric } from './report-data.js';

export interface FilterField extends ReportDimension {
  readonly operators: readonly FilterOperator[];
  /** All possible values, if these are few. */
  readonly values?: readonly (string | number)[];
}

export interface DataSourceFields {
  readonly key: string;
  readonly label: string;
  readonly metrics: readonly (ReportMetric & { readonly description: string })[];
  readonly dimensions: readonly (ReportDimension & { readonly type: DimensionType })[];
  readonly filters: readonly FilterField[];
}

/** Returns every data source with its fields. Each dimension is also a filter. */
export function dataSources(): DataSourceFields[] {
  return Object.values(CATALOGUE).map(({ key: source, label: name, metrics, dimensions }) => ({
    key: source,
    label: name,
    metrics: metrics.map(({ key, label, description, format }) => ({ key, label, description, format })),
    dimensions: dimensions.map(({ key, label, type }) => ({ key, label, type })),
    filters: dimensions.map((dimension) => {
      const { key, label, type, values } = dimension;
      return { key, label, type, operators: operatorsOf(dimension), ...(values ? { values } : {}) };
    }),
  }));
}
