/**
 * Steps of a flow: in REST as callers write them, in GraphQL with the fields of all types of steps. Checks, branches
 * and variants have the field names of REST in both.
 */
import { getSchemaPath } from '@nestjs/swagger';
import { Out, Output, type OutputOptions } from '../../../platform/output/output-class.js';
import type { Step } from '../domain/step.js';
import { storedStep, writtenStep } from '../domain/written-flow.js';
import { EXAMPLE_STEPS } from '../input/flow.input.js';
import { STEP_SCHEMAS } from '../input/step.input.js';

const NESTED = {
  nullable: true,
  description: 'With nested steps and their IDs, and REST field names.',
} as const;
const DIRECTIVE = { nullable: true, description: 'continue or skip_to_end' } as const;

@Output({ graphql: 'EmailSendSettings' })
class EmailSendSettingsOutput {
  @Out('Boolean', { nullable: true }) ignoreFrequencyCapping?: boolean;
  @Out('Boolean', { nullable: true }) countForFrequencyCapping?: boolean;
  @Out('Boolean', { nullable: true }) ignoreDnd?: boolean;
  @Out('Boolean', { nullable: true }) sendToUnsubscribed?: boolean;
  @Out('Boolean', { nullable: true }) sendWindowEnabled?: boolean;
  @Out('String', { nullable: true }) sendWindowStart?: string;
  @Out('String', { nullable: true }) sendWindowEnd?: string;
  @Out('String', { nullable: true }) sendWindowTimezone?: string;
}

@Output({ graphql: 'FlowStep', description: 'A step. Fields that do not apply to its type are null.' })
export class StepOutput {
  @Out('Int', {
    description:
      'Identifies the step within its flow. Does not change when other steps are added or removed.',
  })
  id: number;
  @Out('String', {
    description: 'send_email, wait, condition, conditional_split, ab_split or update_contact',
  })
  type: string;
  @Out('String', { nullable: true }) templateSlug?: string;
  @Out('String', { nullable: true }) subject?: string;
  @Out(EmailSendSettingsOutput, { nullable: true }) emailSendSettings?: EmailSendSettingsOutput;
  @Out('String', { nullable: true, description: 'For example 36h, 2d or 30m.' }) duration?: string;
  @Out('JSON', { nullable: true }) set?: unknown;
  @Out('JSON', { nullable: true, description: 'With REST field names.' }) check?: unknown;
  @Out('String', DIRECTIVE) onTrue?: string;
  @Out('String', DIRECTIVE) onFalse?: string;
  @Out('JSON', NESTED) branches?: unknown;
  @Out('JSON', NESTED) variants?: unknown;
}

/** Options of the field with the steps of a flow. */
export const STEP_LIST = {
  inRest: { value: writtenStep },
  inGraphql: { value: stepOutput },
  api: {
    type: 'array',
    items: { oneOf: STEP_SCHEMAS.map((schema) => ({ $ref: getSchemaPath(schema) })) },
    example: EXAMPLE_STEPS,
  },
} as const satisfies OutputOptions;

function stepOutput(step: Step): StepOutput {
  switch (step.type) {
    case 'condition':
      return {
        ...step,
        check: storedStep(step)['check'],
        onTrue: step.onTrue ?? 'continue',
        onFalse: step.onFalse ?? 'continue',
      };
    case 'conditional_split':
      return { ...step, branches: storedStep(step)['branches'] };
    case 'ab_split':
      return { ...step, variants: storedStep(step)['variants'] };
    case 'send_email':
    case 'wait':
    case 'update_contact':
      return step;
    default:
      return step satisfies never;
  }
}
