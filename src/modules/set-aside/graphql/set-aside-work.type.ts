/** Set-aside work as the dashboard sees it: a Relay connection. */
import { Field, GraphQLISODateTime, ID, Int, ObjectType } from '@nestjs/graphql';
import { connection, edge } from '../../../platform/graphql/connection.js';
import { graphqlEnum } from '../../../platform/input/enums.js';
import {
  SET_ASIDE_REASONS,
  WORK_KINDS,
  type SetAsideCode,
  type SetAsideWork,
  type WorkKind,
} from '../domain/set-aside-work.js';

const WorkKindEnum = graphqlEnum('WorkKind', WORK_KINDS, 'What was to be done.');

@ObjectType('SetAsideWork', {
  description: 'Work that was taken out of its queue, since repeating it did not mend what failed.',
})
export class SetAsideWorkType {
  @Field(() => ID) id: string;
  @Field(() => WorkKindEnum) kind: WorkKind;
  @Field(() => ID, {
    description:
      'The record that it is about: an event, a trip, a message, a contact, a segment or a domain.',
  })
  subjectId: string;
  @Field(() => String, { description: 'Why, as a code that does not change.' }) code: SetAsideCode;
  @Field({ description: 'Why, in words.' }) reason: string;
  @Field(() => GraphQLISODateTime) at: Date;
}

@ObjectType('RetriedWork', { description: 'Work that was taken off the list of what is set aside.' })
export class RetriedWorkType extends SetAsideWorkType {
  @Field({
    description: 'Whether it is in its queue again; false when its record is gone or needs nothing any more.',
  })
  isPutBack: boolean;
}

@ObjectType('SetAsideWorkEdge')
export class SetAsideWorkEdgeType extends edge<SetAsideWorkType>(() => SetAsideWorkType) {}

@ObjectType('SetAsideWorkConnection')
export class SetAsideWorkConnectionType extends connection(() => SetAsideWorkEdgeType) {
  @Field(() => Int) totalCount: number;
}

export function setAsideWorkType(work: SetAsideWork): SetAsideWorkType {
  return { ...work, reason: SET_ASIDE_REASONS[work.code] };
}
