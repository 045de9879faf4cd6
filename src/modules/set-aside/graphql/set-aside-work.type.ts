/** Set-aside work as the dashboard sees it: a Relay connection. */
import { Field, GraphQLISODateTime, ID, ObjectType } from '@nestjs/graphql';
import { connection, edge } from '../../../platform/graphql/connection.js';
import { SET_ASIDE_REASONS, type SetAsideCode, type SetAsideWork } from '../domain/set-aside-work.js';

@ObjectType('SetAsideWork', {
  description: 'Work that was taken out of its queue, since repeating it did not mend what failed.',
})
export class SetAsideWorkType {
  @Field(() => ID) id: string;
  @Field({ description: 'The queue that it was taken from: event, trip, send, and others as they come.' })
  kind: string;
  @Field(() => ID, {
    description: 'The record that it is about: an event, a trip, a message, a contact or a segment.',
  })
  subjectId: string;
  @Field(() => String, { description: 'Why, as a code that does not change.' }) code: SetAsideCode;
  @Field({ description: 'Why, in words.' }) reason: string;
  @Field(() => GraphQLISODateTime) at: Date;
}

@ObjectType('SetAsideWorkEdge')
export class SetAsideWorkEdgeType extends edge<SetAsideWorkType>(() => SetAsideWorkType) {}

@ObjectType('SetAsideWorkConnection')
export class SetAsideWorkConnectionType extends connection(() => SetAsideWorkEdgeType) {}

export function setAsideWorkType(work: SetAsideWork): SetAsideWorkType {
  return { ...work, reason: SET_ASIDE_REASONS[work.code] };
}
