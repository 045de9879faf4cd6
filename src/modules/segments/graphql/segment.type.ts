/** Segments as the dashboard sees them. */
import { Field, GraphQLISODateTime, ID, Int, ObjectType } from '@nestjs/graphql';
import { connection, edge } from '../../../platform/graphql/connection.js';
import { JsonScalar } from '../../../platform/input/json.scalar.js';
import type { Contact } from '../../contacts/domain/contact.js';
import { ContactType } from '../../contacts/graphql/contact.type.js';

@ObjectType('Segment', {
  description: 'A named audience: the same for both environments, its members are not.',
})
export class SegmentType {
  @Field(() => ID) id: string;
  @Field() name: string;
  @Field() description: string;
  @Field({ description: 'all or any' }) match: string;
  @Field(() => JsonScalar, { description: 'The conditions as they were posted, in the names of REST.' })
  conditions: unknown;
  @Field(() => String, { nullable: true }) createdBy: string | null;
  @Field(() => GraphQLISODateTime) createdAt: Date;
  @Field(() => GraphQLISODateTime) updatedAt: Date;
  @Field(() => Int, { nullable: true, description: 'Null until the members were looked up.' })
  memberCount: number | null;
  @Field(() => GraphQLISODateTime, {
    nullable: true,
    description: 'When all contacts were asked the last time.',
  })
  refreshedAt: Date | null;
  @Field(() => String, { nullable: true, description: 'Why the members could not be looked up.' })
  refreshError: string | null;
}

@ObjectType('SegmentEdge')
export class SegmentEdgeType extends edge<SegmentType>(() => SegmentType) {}

@ObjectType('SegmentConnection')
export class SegmentConnectionType extends connection(() => SegmentEdgeType) {
  @Field(() => Int) totalCount: number;
}

@ObjectType('SegmentMemberEdge')
export class SegmentMemberEdgeType extends edge<ContactType>(() => ContactType) {
  @Field(() => GraphQLISODateTime) enteredAt: Date;
}

@ObjectType('SegmentMemberConnection')
export class SegmentMemberConnectionType extends connection(() => SegmentMemberEdgeType) {}

@ObjectType('SegmentPreview')
export class SegmentPreviewType {
  @Field(() => Int) count: number;
  @Field(() => [String], {
    description:
      'What is probably not meant: a number that is compared with a property that holds only text.',
  })
  warnings: readonly string[];
  /** What `sample` shows to those who may see it. */
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
