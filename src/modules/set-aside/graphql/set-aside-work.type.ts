/** Dead letters as the dashboard shows them: a Relay connection. */
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

const WorkKindEnum = graphqlEnum('WorkKind', WORK_KINDS, 'The kind of work.');

@ObjectType('SetAsideWork', {
  description: 'A dead letter: work removed from its queue because retries could not succeed.',
})
export class SetAsideWorkType {
  @Field(() => ID) id: string;
  @Field(() => WorkKindEnum) kind: WorkKind;
  @Field(() => ID, {
    description: 'ID of the record concerned: an event, trip, message, contact, segment or domain.',
  })
  subjectId: string;
  @Field(() => String, { description: 'The cause, as a stable code.' }) code: SetAsideCode;
  @Field({ description: 'The cause, as text.' }) reason: string;
  @Field(() => GraphQLISODateTime) at: Date;
}

@ObjectType('RetriedWork', { description: 'A dead letter that was removed.' })
export class RetriedWorkType extends SetAsideWorkType {
  @Field({
    description:
      'Whether the work is back in its queue. False if its record no longer exists or needs no more work.',
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
