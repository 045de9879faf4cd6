/** A flow in REST (sections 2.3 and 4.2) and in GraphQL. */
import { CONTENT_TYPES } from '../../../kernel/email-settings.js';
import type { JsonObject } from '../../../kernel/json.js';
import { oneOf, Out, Output } from '../../../platform/output/output-class.js';
import { connection, restPage } from '../../../platform/output/pages.js';
import { InspectWarningOutput } from '../../inspect/output/inspect-warning.output.js';
import { FLOW_STATUSES } from '../domain/flow.js';
import { STEP_WARNING_CODES } from '../domain/step-warnings.js';
import type { Step } from '../domain/step.js';
import { FlowSettingsInput } from '../input/flow.input.js';
import { STEP_LIST, StepOutput } from './step.output.js';

const IN_ENVIRONMENT = { description: 'In the caller’s environment.' } as const;

@Output({ graphql: 'FlowSettings' })
export class FlowSettingsOutput {
  @Out('String') reentryPolicy: string;
  @Out('Int', { nullable: true }) reentryCooldownDays: number | null;
  @Out('Boolean') throttleEnabled: boolean;
  @Out('Int', { nullable: true }) throttleLimit: number | null;
  @Out('String', { nullable: true }) throttlePeriod: string | null;
}

/** Settings have the same schema in responses as in bodies. */
export const SETTINGS = { api: { type: FlowSettingsInput } } as const;

@Output({
  rest: 'StepWarningResponse',
  graphql: 'FlowStepWarning',
  description: 'A warning that a step may not work as intended.',
})
class StepWarningOutput {
  @Out('String', {
    description: `${STEP_WARNING_CODES.join(', ')}; new codes may be added.`,
    api: { enum: [...STEP_WARNING_CODES] },
  })
  code: string;
  @Out('String', {
    example: 'steps[2].branches[0].steps[1]',
    description: 'For example steps[2].branches[0].steps[1].',
  })
  path: string;
  @Out('String', { example: 'receipt' }) templateSlug: string;
  @Out('String') message: string;
}

@Output({ rest: 'FlowResponse', graphql: 'Flow' })
export class FlowOutput {
  @Out('ID') id: string;
  @Out('String', { example: 'Welcome' }) name: string;
  @Out('String') description: string;
  @Out('String', { example: 'signed_up' }) triggerEvent: string;
  @Out('JSON') triggerConditions: JsonObject;
  @Out('ID', { nullable: true }) segmentId: string | null;
  @Out([StepOutput], STEP_LIST) steps: readonly Step[];
  @Out(oneOf(CONTENT_TYPES)) contentType: string;
  @Out(oneOf(FLOW_STATUSES)) status: string;
  @Out('Int', { example: 1 }) version: number;
  @Out(['String']) tags: readonly string[];
  @Out(FlowSettingsOutput, SETTINGS) settings: FlowSettingsOutput;
  @Out('String', { description: 'A member ID, or `api_key:` followed by a key ID.' }) createdBy: string;
  @Out('DateTime') createdAt: Date;
  @Out('DateTime') updatedAt: Date;
  @Out([InspectWarningOutput], {
    only: 'graphql',
    optional: true,
    description:
      'Open critical findings of the flow’s templates. Only returned by activateFlow, if blocking is set to ' +
      'warn; null otherwise.',
  })
  warnings?: readonly object[] | undefined;
  @Out([StepWarningOutput], {
    only: 'graphql',
    optional: true,
    description:
      'Steps that may not work as intended, at most 100. Only returned by activateFlow; null otherwise.',
  })
  stepWarnings?: readonly StepWarningOutput[] | undefined;
}

/** A flow that was activated, in REST. */
@Output({ rest: 'ActivatedFlowResponse' })
export class ActivatedFlowOutput extends FlowOutput {
  @Out([InspectWarningOutput], {
    only: 'rest',
    optional: true,
    description: 'Open critical findings of the flow’s templates, at most 100. Omitted if there are none.',
  })
  override warnings?: readonly object[] | undefined;
  @Out([StepWarningOutput], {
    only: 'rest',
    optional: true,
    description: 'Steps that may not work as intended, at most 100. Omitted if there are none.',
  })
  override stepWarnings?: readonly StepWarningOutput[] | undefined;
}

class FlowEdgeOutput {
  @Out('Int', IN_ENVIRONMENT) tripsStarted: number;
  @Out('Int', IN_ENVIRONMENT) tripsCompleted: number;
}

@Output({ rest: 'ListedFlowResponse' })
class ListedFlowOutput extends FlowOutput {
  @Out('Int', IN_ENVIRONMENT) tripsStarted: number;
  @Out('Int', IN_ENVIRONMENT) tripsCompleted: number;
}

@Output({ rest: 'FlowCountsResponse', graphql: 'FlowCounts' })
class FlowCountsOutput {
  @Out('Int') all: number;
  @Out('Int') active: number;
  @Out('Int') paused: number;
  @Out('Int') draft: number;
  @Out('Int') stopped: number;
}

class CountedFlowsOutput {
  @Out(FlowCountsOutput) counts: FlowCountsOutput;
}

@Output({ rest: 'FlowListResponse' })
export class FlowListOutput extends restPage('FlowListResponse', 'flows', ListedFlowOutput) {
  @Out(FlowCountsOutput, {
    description: 'Number of flows by status. All filters except the status filter apply.',
  })
  counts: FlowCountsOutput;
}

export const FlowConnection = connection('Flow', FlowOutput, {
  counted: true,
  edge: FlowEdgeOutput,
  fields: CountedFlowsOutput,
});

export const FlowTagConnection = connection('FlowTag', 'String');
