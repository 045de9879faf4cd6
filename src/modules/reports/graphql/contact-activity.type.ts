/** The GraphQL types of a contact's timeline. */
import { Field, GraphQLISODateTime, ID, ObjectType } from '@nestjs/graphql';
import { connection, edge } from '../../../platform/graphql/connection.js';
import { JsonScalar } from '../../../platform/input/json.scalar.js';
import { graphqlEnum } from '../../../platform/input/enums.js';
import { type Activity, ACTIVITY_KINDS, type ActivityKind } from '../domain/activity.js';

const ActivityKindEnum = graphqlEnum('ContactActivityKind', ACTIVITY_KINDS, 'The kind of a timeline entry.');

@ObjectType('ContactActivityEvent')
export class ActivityEventType {
  @Field() eventName: string;
  @Field(() => JsonScalar) attributes: unknown;
}

@ObjectType('ContactActivityEmail')
export class ActivityEmailType {
  @Field(() => String, { nullable: true }) subject: string | null;
  @Field({ description: 'The current status.' }) status: string;
  @Field() templateSlug: string;
  @Field(() => String, { nullable: true }) suppressedReason: string | null;
  @Field(() => String, { nullable: true }) errorCode: string | null;
  @Field(() => GraphQLISODateTime, { nullable: true }) sentAt: Date | null;
}

@ObjectType('ContactActivityTrip')
export class ActivityTripType {
  @Field(() => ID) flowId: string;
  @Field(() => String, { nullable: true }) flowName: string | null;
  @Field({ description: 'The current status of the trip.' }) status: string;
  @Field(() => String, { nullable: true }) endedReason: string | null;
}

/** Has no field `id`: a trip appears twice, and clients that cache records by id would merge both entries. */
@ObjectType('ContactActivity', {
  description: 'A timeline entry. One of event, email and trip is set, as indicated by kind.',
})
export class ContactActivityType {
  @Field(() => ActivityKindEnum) kind: ActivityKind;
  @Field(() => GraphQLISODateTime, {
    description: 'When the event occurred, the message was created, or the trip started or ended.',
  })
  at: Date;
  @Field(() => ID, { description: 'ID of the event, email log or trip.' }) recordId: string;
  @Field(() => ActivityEventType, { nullable: true }) event: ActivityEventType | null;
  @Field(() => ActivityEmailType, { nullable: true }) email: ActivityEmailType | null;
  @Field(() => ActivityTripType, { nullable: true }) trip: ActivityTripType | null;
}

@ObjectType('ContactActivityEdge')
export class ContactActivityEdgeType extends edge<ContactActivityType>(() => ContactActivityType) {}

@ObjectType('ContactActivityConnection')
export class ContactActivityConnectionType extends connection(() => ContactActivityEdgeType) {
  @Field(() => [ActivityKindEnum], {
    description: 'The kinds that the caller’s role can see. Other entries are omitted.',
  })
  shownKinds: readonly ActivityKind[];
}

export function contactActivityType(activity: Activity): ContactActivityType {
  const { kind, at, recordId } = activity;
  return {
    kind,
    at,
    recordId,
    event: activity.kind === 'event' ? activity : null,
    email: activity.kind === 'email' ? activity : null,
    trip: activity.kind === 'trip_started' || activity.kind === 'trip_ended' ? activity : null,
  };
}
