/** Dead letters as the dashboard shows them: a Relay connection. */
import { Field, GraphQLISODateTime, ID, Int, ObjectType } from '@nestjs/graphql';
import { connection, edge } from '../../../platform/graphql/connection.js';
import { graphqlEnum } from '../../../platform/input/enums.js';
import {
  DEAD_LETTER_REASONS,
  WORK_KINDS,
  type DeadLetterCode,
  type DeadLetter,
  type WorkKind,
} from '../domain/dead-letter.js';

const WorkKindEnum = graphqlEnum('WorkKind', WORK_KINDS, 'The kind of work.');

@ObjectType('SetAsideWork', {
  description: 'A dead letter: work removed from its queue because retries could not succeed.',
})
export class DeadLetterType {
  @Field(() => ID) id: string;
  @Field(() => WorkKindEnum) kind: WorkKind;
  @Field(() => ID, {
    description: 'ID of the record concerned: an event, trip, message, contact, segment or domain.',
  })
  subjectId: string;
  @Field(() => String, { description: 'The cause, as a stable code.' }) code: DeadLetterCode;
  @Field({ description: 'The cause, as text.' }) reason: string;
  @Field(() => GraphQLISODateTime) at: Date;
}

@ObjectType('RetriedWork', { description: 'A dead letter that was removed.' })
export class RetriedWorkType extends DeadLetterType {
  @Field({
    description:
      'Whether the work is back in its queue. False if its record no longer exists or needs no more work.',
  })
  isPutBack: boolean;
}

@ObjectType('SetAsideWorkEdge')
export class DeadLetterEdgeType extends edge<DeadLetterType>(() => DeadLetterType) {}

@ObjectType('SetAsideWorkConnection')
export class DeadLetterConnectionType extends connection(() => DeadLetterEdgeType) {
  @Field(() => Int) totalCount: number;
}

export function deadLetterType(work: DeadLetter): DeadLetterType {
  return { ...work, reason: DEAD_LETTER_REASONS[work.code] };
}
