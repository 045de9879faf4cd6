/** The result of a test email in REST (section 4.3) and in GraphQL. */
import { oneOf, Out, Output } from '../../../platform/output/output-class.js';
import { TEST_SEND_REASONS } from '../domain/test-send.js';

@Output({
  rest: 'TestSendResultResponse',
  graphql: 'TestEmailResult',
  description: 'Outcome for one recipient.',
})
class TestSendResultOutput {
  @Out('String', { example: 'olive@acme.test' }) email: string;
  @Out(oneOf(['sent', 'failed']), { description: 'sent or failed' }) outcome: string;
  @Out(oneOf([...TEST_SEND_REASONS, null]), {
    nullable: true,
    description: 'A short code. Null if the email was sent.',
    example: null,
  })
  reason: string | null;
}

@Output({ rest: 'TestSendResponse', graphql: 'TestEmailReport' })
export class TestSendOutput {
  @Out('Int', { example: 1 }) sentCount: number;
  @Out(['String'], { example: [], description: 'Addresses the email was not sent to.' })
  failed: readonly string[];
  @Out([TestSendResultOutput]) results: readonly TestSendResultOutput[];
  @Out('Boolean') allAccepted: boolean;
}
