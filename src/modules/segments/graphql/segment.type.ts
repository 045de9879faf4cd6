/** Segments in GraphQL. */
import { Field, GraphQLISODateTime, ID, Int, ObjectType } from '@nestjs/graphql';
import { connection, edge } from '../../../platform/graphql/connection.js';
import { JsonScalar } from '../../../platform/input/json.scalar.js';
import type { Contact } from '../../contacts/domain/contact.js';
import { ContactOutput } from '../../contacts/output/contact.output.js';

@ObjectType('Segment', {
  description: 'A named audience. A segment exists in both environments; its members differ.',
})
export class SegmentType {
  @Field(() => ID) id: string;
  @Field() name: string;
  @Field() description: string;
  @Field({ description: 'all or any' }) match: string;
  @Field(() => JsonScalar, { description: 'The conditions as submitted, with REST field names.' })
  conditions: unknown;
  @Field(() => String, { nullable: true }) createdBy: string | null;
  @Field(() => GraphQLISODateTime) createdAt: Date;
  @Field(() => GraphQLISODateTime) updatedAt: Date;
  @Field(() => Int, {
    nullable: true,
    description: 'Number of members. Null until membership is first evaluated.',
  })
  memberCount: number | null;
  @Field(() => GraphQLISODateTime, {
    nullable: true,
    description: 'When membership of all contacts was last evaluated. Null if never.',
  })
  refreshedAt: Date | null;
  @Field(() => String, {
    nullable: true,
    description: 'Why membership could not be evaluated. Null if it succeeded.',
  })
  refreshError: string | null;
}

@ObjectType('SegmentEdge')
export class SegmentEdgeType extends edge<SegmentType>(() => SegmentType) {}

@ObjectType('SegmentConnection')
export class SegmentConnectionType extends connection(() => SegmentEdgeType) {
  @Field(() => Int) totalCount: number;
}

@ObjectType('SegmentMemberEdge')
export class SegmentMemberEdgeType extends edge<ContactOutput>(() => ContactOutput) {
  @Field(() => GraphQLISODateTime) enteredAt: Date;
}

@ObjectType('SegmentMemberConnection')
export class SegmentMemberConnectionType extends connection(() => SegmentMemberEdgeType) {}

@ObjectType('SegmentPreview')
export class SegmentPreviewType {
  @Field(() => Int) count: number;
  @Field(() => [String], {
    description: 'Likely mistakes, such as comparing a number with a property that holds only text.',
  })
  warnings: readonly string[];
  /** The source of `sample`, which needs permission to read contacts. */
  readonly found: readonly Contact[];
}

@ObjectType('SegmentOfContact')
export class SegmentOfContactType {
  @Field(() => ID) id: string;
  @Field() name: string;
}

@ObjectType('SegmentOfContactEdge')
export class SegmentOfContactEdgeType extends edge<SegmentOfContactType>(() => SegmentOfContactType) {
  @Field(() => GraphQLISODateTime) enteredAt: Date;
}

@ObjectType('SegmentOfContactConnection')
export class SegmentOfContactConnectionType extends connection(() => SegmentOfContactEdgeType) {}
