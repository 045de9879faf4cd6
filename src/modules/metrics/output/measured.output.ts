/** How many messages metrics were measured on. */
import { Out, Output } from '../../../platform/output/output-class.js';

@Output({
  rest: 'MeasuredResponse',
  graphql: 'MeasuredMessages',
  description: 'How many messages a metric was measured on.',
})
export class MeasuredOutput {
  @Out('Int', { description: 'Messages for which this was tracked or reported by the provider.' })
  measured: number;
  @Out('Int', { description: 'All relevant messages.' }) of: number;
}

/** If `measured` is 0 and `of` is not, the value is unknown: null in GraphQL, and 0 in REST. */
@Output({ rest: 'MeasuredEmailsResponse', graphql: 'MeasuredEmails' })
export class MeasuredEmailsOutput {
  @Out(MeasuredOutput, { description: 'For `delivered`, out of all sent messages.' })
  deliveries: MeasuredOutput;
  @Out(MeasuredOutput, {
    description: 'For `opened` and the open rate, out of sent messages that did not bounce.',
  })
  opens: MeasuredOutput;
  @Out(MeasuredOutput, {
    description: 'For `clicked` and the click rate, out of sent messages that did not bounce.',
  })
  clicks: MeasuredOutput;
}
