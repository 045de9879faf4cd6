/** A flow in GraphQL. */
import type { EmailSendSettings } from '../../../kernel/email-settings.js';
import { Field, GraphQLISODateTime, ID, Int, ObjectType } from '@nestjs/graphql';
import type { JsonObject } from '../../../kernel/json.js';
import { connection, edge } from '../../../platform/graphql/connection.js';
import { JsonScalar } from '../../../platform/input/json.scalar.js';
import { InspectWarningOutput } from '../../inspect/output/inspect-warning.output.js';
import type { ListedFlow } from '../domain/flow-filter.js';
import type { Flow, FlowSettings } from '../domain/flow.js';
import type { Step } from '../domain/step.js';
import { STEP_WARNING_CODES } from '../domain/step-warnings.js';
import { storedStep } from '../domain/written-flow.js';

@ObjectType('EmailSendSettings')
export class EmailSendSettingsType {
  @Field(() => Boolean, { nullable: true }) ignoreFrequencyCapping: boolean | null;
  @Field(() => Boolean, { nullable: true }) countForFrequencyCapping: boolean | null;
  @Field(() => Boolean, { nullable: true }) ignoreDnd: boolean | null;
  @Field(() => Boolean, { nullable: true }) sendToUnsubscribed: boolean | null;
  @Field(() => Boolean, { nullable: true }) sendWindowEnabled: boolean | null;
  @Field(() => String, { nullable: true }) sendWindowStart: string | null;
  @Field(() => String, { nullable: true }) sendWindowEnd: string | null;
  @Field(() => String, { nullable: true }) sendWindowTimezone: string | null;
}

@ObjectType('FlowStep', { description: 'A step. Fields that do not apply to its type are null.' })
export class FlowStepType {
  @Field(() => Int, {
    description:
      'Identifies the step within its flow. Does not change when other steps are added or removed.',
  })
  id: number;

  @Field({
    description: 'send_email, wait, condition, conditional_split, ab_split or update_contact',
  })
  type: string;

  @Field(() => String, { nullable: true }) templateSlug: string | null;
  @Field(() => String, { nullable: true }) subject: string | null;
  @Field(() => EmailSendSettingsType, { nullable: true }) emailSendSettings: EmailSendSettingsType | null;
  @Field(() => String, { nullable: true, description: 'For example 36h, 2d or 30m.' }) duration:
    string | null;
  @Field(() => JsonScalar, { nullable: true }) set: JsonObject | null;

  @Field(() => JsonScalar, { nullable: true, description: 'With REST field names.' })
  check: JsonObject | null;

  @Field(() => String, { nullable: true, description: 'continue or skip_to_end' }) onTrue: string | null;
  @Field(() => String, { nullable: true, description: 'continue or skip_to_end' }) onFalse: string | null;

  @Field(() => JsonScalar, {
    nullable: true,
    description: 'With nested steps and their IDs, and REST field names.',
  })
  branches: unknown;

  @Field(() => JsonScalar, {
    nullable: true,
    description: 'With nested steps and their IDs, and REST field names.',
  })
  variants: unknown;
}

@ObjectType('FlowStepWarning', { description: 'A warning that a step may not work as intended.' })
export class FlowStepWarningType {
  @Field({ description: `${STEP_WARNING_CODES.join(', ')}; new codes may be added.` }) code: string;
  @Field({ description: 'For example steps[2].branches[0].steps[1].' }) path: string;
  @Field() templateSlug: string;
  @Field() message: string;
}

@ObjectType('FlowSettings')
export class FlowSettingsType {
  @Field() reentryPolicy: string;
  @Field(() => Int, { nullable: true }) reentryCooldownDays: number | null;
  @Field() throttleEnabled: boolean;
  @Field(() => Int, { nullable: true }) throttleLimit: number | null;
  @Field(() => String, { nullable: true }) throttlePeriod: string | null;
}

@ObjectType('Flow')
export class FlowType {
  @Field(() => ID) id: string;
  @Field() name: string;
  @Field() description: string;
  @Field() triggerEvent: string;
  @Field(() => JsonScalar) triggerConditions: JsonObject;
  @Field(() => ID, { nullable: true }) segmentId: string | null;
  @Field(() => [FlowStepType]) steps: FlowStepType[];
  @Field() contentType: string;
  @Field() status: string;
  @Field(() => Int) version: number;
  @Field(() => [String]) tags: readonly string[];
  @Field(() => FlowSettingsType) settings: FlowSettingsType;
  @Field() createdBy: string;
  @Field(() => GraphQLISODateTime) createdAt: Date;
  @Field(() => GraphQLISODateTime) updatedAt: Date;
  @Field(() => [InspectWarningOutput], {
    nullable: true,
    description:
      'Open critical findings of the flow’s templates. Only returned by activateFlow, if blocking is set to ' +
      'warn; null otherwise.',
  })
  warnings?: readonly InspectWarningOutput[];
  @Field(() => [FlowStepWarningType], {
    nullable: true,
    description:
      'Steps that may not work as intended, at most 100. Only returned by activateFlow; null otherwise.',
  })
  stepWarnings?: readonly FlowStepWarningType[];
}

@ObjectType('FlowCounts')
export class FlowCountsType {
  @Field(() => Int) all: number;
  @Field(() => Int) active: number;
  @Field(() => Int) paused: number;
  @Field(() => Int) draft: number;
  @Field(() => Int) stopped: number;
}

@ObjectType('FlowEdge', { description: 'A flow with counts of its trips in the environment.' })
export class FlowEdgeType extends edge<FlowType>(() => FlowType) {
  @Field(() => Int) tripsStarted: number;
  @Field(() => Int) tripsCompleted: number;
}

@ObjectType('FlowConnection')
export class FlowConnectionType extends connection(() => FlowEdgeType) {
  @Field(() => FlowCountsType) counts: FlowCountsType;
  @Field(() => Int) totalCount: number;
}

@ObjectType('FlowTagEdge')
class FlowTagEdgeType extends edge<string>(() => String) {}

@ObjectType('FlowTagConnection')
export class FlowTagConnectionType extends connection(() => FlowTagEdgeType) {}

export function flowTypeOf(flow: Flow): FlowType {
  return { ...flow, steps: flow.steps.map(stepTypeOf), settings: settingsTypeOf(flow.settings) };
}

export function flowEdgeOf(listed: ListedFlow, cursor: string): FlowEdgeType {
  const { tripsStarted, tripsCompleted, ...flow } = listed;
  return { cursor, node: flowTypeOf(flow), tripsStarted, tripsCompleted };
}

const EMPTY: Omit<FlowStepType, 'id' | 'type'> = {
  templateSlug: null,
  subject: null,
  emailSendSettings: null,
  duration: null,
  set: null,
  check: null,
  onTrue: null,
  onFalse: null,
  branches: null,
  variants: null,
};

export function stepTypeOf(step: Step): FlowStepType {
  const shown = { ...EMPTY, id: step.id, type: step.type };
  switch (step.type) {
    case 'send_email':
      return {
        ...shown,
        templateSlug: step.templateSlug,
        subject: step.subject ?? null,
        emailSendSettings: step.emailSendSettings ? emailSettingsTypeOf(step.emailSendSettings) : null,
      };
    case 'wait':
      return { ...shown, duration: step.duration };
    case 'update_contact':
      return { ...shown, set: step.set };
    case 'condition': {
      const check = storedStep(step)['check'] as JsonObject;
      return { ...shown, check, onTrue: step.onTrue ?? 'continue', onFalse: step.onFalse ?? 'continue' };
    }
    case 'conditional_split':
      return { ...shown, branches: storedStep(step)['branches'] };
    case 'ab_split':
      return { ...shown, variants: storedStep(step)['variants'] };
  }
}

function emailSettingsTypeOf(settings: Partial<EmailSendSettings>): EmailSendSettingsType {
  return {
    ignoreFrequencyCapping: settings.ignoreFrequencyCapping ?? null,
    countForFrequencyCapping: settings.countForFrequencyCapping ?? null,
    ignoreDnd: settings.ignoreDnd ?? null,
    sendToUnsubscribed: settings.sendToUnsubscribed ?? null,
    sendWindowEnabled: settings.sendWindowEnabled ?? null,
    sendWindowStart: settings.sendWindowStart ?? null,
    sendWindowEnd: settings.sendWindowEnd ?? null,
    sendWindowTimezone: settings.sendWindowTimezone ?? null,
  };
}

function settingsTypeOf(settings: FlowSettings): FlowSettingsType {
  return {
    reentryPolicy: settings.reentryPolicy,
    reentryCooldownDays: settings.reentryCooldownDays,
    throttleEnabled: settings.throttleEnabled,
    throttleLimit: settings.throttleLimit,
    throttlePeriod: settings.throttlePeriod,
  };
}
