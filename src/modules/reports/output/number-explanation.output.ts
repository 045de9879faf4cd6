/** What a number of a report means, in GraphQL. */
import { Out, Output } from '../../../platform/output/output-class.js';
import type { Explanation } from '../domain/explanation.js';

@Output({ graphql: 'NumberCounter' })
class NumberCounterOutput {
  @Out('String') key: string;
  @Out('String') label: string;
  @Out('Float') value: number;
}

@Output({ graphql: 'CountedRow' })
class CountedRowOutput {
  @Out('ID') id: string;
  @Out('DateTime', {
    nullable: true,
    description: 'The time at which the row counts. Null for current values.',
  })
  at: Date | null;
  @Out('JSON', { description: 'Addresses are masked without permission to read contacts.' }) fields: unknown;
}

@Output({ graphql: 'NumberExplanation', description: 'What a number means and which rows it counts.' })
export class NumberExplanationOutput {
  @Out('String') metric: string;
  @Out('String') label: string;
  @Out('String') definition: string;
  @Out('String') formula: string;
  @Out('Float', { nullable: true, description: 'Null if it was not measured.' }) value: number | null;
  @Out([NumberCounterOutput]) counters: readonly NumberCounterOutput[];
  @Out('String', { nullable: true, description: 'Which rows are counted, as text. Null if all are.' })
  filter: string | null;
  @Out('DateTime') from: Date;
  @Out('DateTime') to: Date;
  @Out([CountedRowOutput], { description: 'At most 20 of the rows counted.' })
  sample: readonly CountedRowOutput[];
}

export function explanationOutput({ metric, range, ...explanation }: Explanation): NumberExplanationOutput {
  const { key, label, description } = metric;
  return { ...explanation, ...range, metric: key, label, definition: description };
}
