/** The result of an action on many flows, section 4.2, in REST and in GraphQL. */
import { answerOf } from '../../../platform/answers/error-answer.js';
import { Out, Output } from '../../../platform/output/output-class.js';
import type { BulkOutcome } from '../application/flow-bulk.service.js';

@Output({ rest: 'FailedFlowFieldResponse' })
class FailedFlowFieldOutput {
  @Out('String', { example: 'steps[0].template_slug' }) field: string;
  @Out('String') message: string;
}

@Output({
  rest: 'FailedFlowResponse',
  graphql: 'FailedFlow',
  description: 'A flow on which the action failed.',
})
class FailedFlowOutput {
  @Out('ID') flowId: string;
  @Out('String', { example: 'validation_error', description: 'The error code for this flow.' }) code: string;
  @Out('String', { example: 'The flow is draft: you cannot pause it.' }) detail: string;
  @Out([FailedFlowFieldOutput], { only: 'rest' }) errors: readonly FailedFlowFieldOutput[];
}

@Output({ rest: 'BulkFlowActionResponse', graphql: 'BulkFlowOutcome' })
export class BulkFlowActionOutput {
  @Out('Int', { example: 2 }) success: number;
  @Out('Int', { example: 1 }) failed: number;
  @Out([FailedFlowOutput], { description: 'At most 100.' }) errors: readonly FailedFlowOutput[];
}

export function bulkFlowActionOutput({ errors, ...counts }: BulkOutcome): BulkFlowActionOutput {
  return {
    ...counts,
    errors: errors.map(({ flowId, cause }) => {
      const { code, detail, fields } = answerOf(cause).error;
      return { flowId, code, detail, errors: fields.errors ?? [] };
    }),
  };
}
