/** A warning of the gate before sending, in REST (section 4.7) and in GraphQL. */
import { oneOf, Out, Output } from '../../../platform/output/output-class.js';
import { FINDING_CODES } from '../domain/rules/catalogue.js';

/** A finding in a template that is sent nevertheless, under `warn`. */
@Output({
  rest: 'InspectWarningResponse',
  graphql: 'InspectWarning',
  description: 'An open critical finding in a template that is about to be sent.',
})
export class InspectWarningOutput {
  @Out('ID', { only: 'graphql' }) id: string;
  @Out('ID', { only: 'graphql' }) jobId: string;
  @Out('String', { example: 'welcome' }) templateSlug: string;
  @Out('Int', { only: 'graphql' }) templateVersion: number;
  @Out(oneOf(FINDING_CODES), { example: 'SJ001', description: 'A stable code. New codes may be added.' })
  code: string;
  @Out('String', { only: 'graphql' }) category: string;
  @Out('String', { only: 'graphql' }) title: string;
  @Out('String') message: string;
  @Out('String', { only: 'graphql', description: 'How to fix it.' }) fix: string;
  @Out('Int', {
    nullable: true,
    description: 'Line in the body, starting at 1. Null if there is no position.',
  })
  line: number | null;
  @Out('Int', { only: 'graphql', nullable: true }) column: number | null;
  @Out('String', { only: 'graphql', nullable: true }) snippet: string | null;
  @Out(['String'], { only: 'graphql', description: 'Empty if all mail programs are affected.' })
  clients: readonly string[];
}
