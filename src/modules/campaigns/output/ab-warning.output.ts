/** A reason why an A/B test may not give a meaningful result. */
import { oneOf, Out, Output } from '../../../platform/output/output-class.js';
import { AB_WARNINGS } from '../domain/ab-warnings.js';

@Output({ rest: 'AbWarningResponse', graphql: 'AbTestWarning' })
export class AbWarningOutput {
  @Out(oneOf(AB_WARNINGS), { description: 'ab_metric_not_measured or ab_audience_too_small' }) code: string;
  @Out('String') message: string;
}
