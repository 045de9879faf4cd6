/** A flow's version history in GraphQL. */
import { Field, GraphQLISODateTime, ID, Int, ObjectType } from '@nestjs/graphql';
import type { JsonObject } from '../../../kernel/json.js';
import { connection, edge } from '../../../platform/graphql/connection.js';
import { JsonScalar } from '../../../platform/input/json.scalar.js';
import type { FlowVersion } from '../domain/flow-version.js';
import { FlowSettingsType, FlowStepType, stepTypeOf } from './flow.type.js';

@ObjectType('FlowVersionSummary', { description: 'A version without its steps.' })
export class FlowVersionSummaryType {
  @Field(() => ID) id: string;
  @Field(() => ID) flowId: string;
  @Field(() => Int, { description: 'The flow version saved in this snapshot.' }) version: number;
  @Field() name: string;
  @Field() description: string;
  @Field() triggerEvent: string;
  @Field(() => JsonScalar) triggerConditions: JsonObject;
  @Field() contentType: string;
  @Field({ description: 'The flow’s status when the snapshot was taken.' }) statusAtSnapshot: string;
  @Field({ description: 'A member ID or an API key ID.' }) changedBy: string;
  @Field(() => String, { nullable: true }) changeSummary: string | null;
  @Field(() => [String]) tags: readonly string[];
  @Field(() => FlowSettingsType) settings: FlowSettingsType;
  @Field(() => GraphQLISODateTime) createdAt: Date;
}

@ObjectType('FlowVersion')
export class FlowVersionType extends FlowVersionSummaryType {
  @Field(() => [FlowStepType]) steps: FlowStepType[];
}

@ObjectType('FlowVersionEdge')
export class FlowVersionEdgeType extends edge<FlowVersionSummaryType>(() => FlowVersionSummaryType) {}

@ObjectType('FlowVersionConnection')
export class FlowVersionConnectionType extends connection(() => FlowVersionEdgeType) {
  @Field(() => Int) totalCount: number;
}

export function flowVersionTypeOf(version: FlowVersion): FlowVersionType {
  return { ...version, steps: version.steps.map(stepTypeOf) };
}
