/** A version of a flow in REST (sections 2.4 and 4.2) and in GraphQL, whose lists omit the steps. */
import { CONTENT_TYPES } from '../../../kernel/email-settings.js';
import type { JsonObject } from '../../../kernel/json.js';
import { oneOf, Out, Output } from '../../../platform/output/output-class.js';
import { connection } from '../../../platform/output/pages.js';
import { FLOW_STATUSES } from '../domain/flow.js';
import type { Step } from '../domain/step.js';
import { FlowSettingsOutput, SETTINGS } from './flow.output.js';
import { STEP_LIST, StepOutput } from './step.output.js';

@Output({ graphql: 'FlowVersionSummary', description: 'A version without its steps.' })
export class FlowVersionSummaryOutput {
  @Out('ID') id: string;
  @Out('ID') flowId: string;
  @Out('Int', { example: 1, description: 'The flow version saved in this snapshot.' }) version: number;
  @Out('String', { example: 'Welcome' }) name: string;
  @Out('String') description: string;
  @Out('String', { example: 'signed_up' }) triggerEvent: string;
  @Out('JSON') triggerConditions: JsonObject;
  @Out(oneOf(CONTENT_TYPES)) contentType: string;
  @Out(oneOf(FLOW_STATUSES), { description: 'The flow’s status when the snapshot was taken.' })
  statusAtSnapshot: string;
  @Out('String', { description: 'A member ID, or `api_key:` followed by a key ID.' }) changedBy: string;
  @Out('String', { nullable: true, example: 'Shorter wait' }) changeSummary: string | null;
  @Out(['String']) tags: readonly string[];
  @Out(FlowSettingsOutput, SETTINGS) settings: FlowSettingsOutput;
  @Out('DateTime') createdAt: Date;
}

@Output({ rest: 'FlowVersionResponse', graphql: 'FlowVersion' })
export class FlowVersionOutput extends FlowVersionSummaryOutput {
  @Out([StepOutput], STEP_LIST) steps: readonly Step[];
}

export const FlowVersionConnection = connection('FlowVersion', FlowVersionSummaryOutput, { counted: true });
