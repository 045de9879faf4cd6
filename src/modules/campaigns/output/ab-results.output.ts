/** The results of an A/B test in REST (section 4.5) and in GraphQL. */
import { oneOf, Out, Output } from '../../../platform/output/output-class.js';
import { MeasuredOutput } from '../../metrics/output/measured.output.js';
import { AB_METRICS } from '../domain/ab-test.js';
import { AbWarningOutput } from './ab-warning.output.js';

@Output({
  rest: 'AbVariantResultsResponse',
  graphql: 'AbVariantResults',
  description: 'Results of the test group of one variant.',
})
class AbVariantResultsOutput {
  @Out('String', { example: 'A' }) name: string;
  @Out('String', { nullable: true }) subject: string | null;
  @Out('ID', { nullable: true }) templateId: string | null;
  @Out('Int') recipients: number;
  @Out('Int') sent: number;
  @Out('Int') opened: number;
  @Out('Int') clicked: number;
  @Out('Int') conversions: number;
  @Out('Float', {
    nullable: true,
    example: 42.31,
    description:
      'Messages opened, clicked or converted, depending on the metric, as a percentage of sent messages that did ' +
      'not bounce. Opens and clicks cover measured messages only. If none was measured, null in GraphQL and 0 in ' +
      'REST.',
    inRest: { ifNull: 0 },
  })
  rate: number | null;
  @Out(['Float'], {
    example: [38.2, 46.5],
    api: { minItems: 2, maxItems: 2 },
    description: '95% confidence interval of the rate.',
  })
  interval: readonly number[];
  @Out(MeasuredOutput, {
    description: 'How many of the messages that did not bounce were measured for this metric.',
  })
  measured: MeasuredOutput;
}

@Output({
  rest: 'HoldoutResponse',
  graphql: 'AbHoldoutResults',
  description: 'The control group, which receives nothing.',
})
class AbHoldoutResultsOutput {
  @Out('Int') recipients: number;
  @Out('Int') conversions: number;
  @Out('Float', { example: 42.31, description: 'Percentage.' }) rate: number;
}

@Output({
  rest: 'AbResultsResponse',
  graphql: 'AbResults',
  description: 'Results of an A/B test and their statistical significance.',
})
export class AbResultsOutput {
  @Out('ID', { only: 'rest' }) campaignId: string;
  @Out(oneOf(['not_started', 'running', 'decided']), { description: 'not_started, running or decided' })
  status: string;
  @Out(oneOf(AB_METRICS), { description: 'open_rate, click_rate or conversion_rate' }) metric: string;
  @Out('DateTime', { nullable: true }) startedAt: Date | null;
  @Out('DateTime', { nullable: true }) endsAt: Date | null;
  @Out([AbVariantResultsOutput]) variants: readonly AbVariantResultsOutput[];
  @Out(AbHoldoutResultsOutput, { nullable: true, description: 'Null if there is no control group.' })
  holdout: AbHoldoutResultsOutput | null;
  @Out('String', {
    nullable: true,
    description: 'The name of the winning variant. Null until one is chosen.',
  })
  winner: string | null;
  @Out(oneOf(['automatic', 'manual']), {
    nullable: true,
    description: 'automatic or manual. Null until a winner is chosen.',
  })
  decidedBy: string | null;
  @Out(oneOf(['metric_not_measured', null]), {
    nullable: true,
    description:
      'metric_not_measured if the data cannot decide the test and a winner must be chosen manually. Null ' +
      'otherwise.',
  })
  undecidedReason: string | null;
  @Out([AbWarningOutput], {
    description: 'Reasons why the A/B test may not give a meaningful result.',
  })
  abTestWarnings: readonly AbWarningOutput[];
  @Out('Float', {
    nullable: true,
    example: 0.031,
    description: 'p-value of the difference between the two best variants. Null without data.',
  })
  pValue: number | null;
  @Out('Boolean', { description: 'Whether the p-value is below 0.05.' }) significant: boolean;
  @Out('Int', { description: 'Contacts who have not yet been sent the winner.' }) remaining: number;
}
