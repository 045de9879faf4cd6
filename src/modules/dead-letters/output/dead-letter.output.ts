/** A dead letter in GraphQL. */
import { graphqlEnum } from '../../../platform/input/enums.js';
import { oneOf, Out, Output } from '../../../platform/output/output-class.js';
import { connection } from '../../../platform/output/pages.js';
import { DEAD_LETTER_REASONS, WORK_KINDS, type DeadLetter, type WorkKind } from '../domain/dead-letter.js';

const WorkKindEnum = graphqlEnum('WorkKind', WORK_KINDS, 'The kind of work.');

@Output({
  graphql: 'SetAsideWork',
  description: 'A dead letter: work removed from its queue because retries could not succeed.',
})
export class DeadLetterOutput {
  @Out('ID') id: string;
  @Out(oneOf(WORK_KINDS, WorkKindEnum)) kind: WorkKind;
  @Out('ID', {
    description: 'ID of the record concerned: an event, trip, message, contact, segment or domain.',
  })
  subjectId: string;
  @Out('String', { description: 'The cause, as a stable code.' }) code: string;
  @Out('String', { description: 'The cause, as text.' }) reason: string;
  @Out('DateTime') at: Date;
}

@Output({ graphql: 'RetriedWork', description: 'A dead letter that was removed.' })
export class RetriedWorkOutput extends DeadLetterOutput {
  @Out('Boolean', {
    description:
      'Whether the work is back in its queue. False if its record no longer exists or needs no more work.',
  })
  isPutBack: boolean;
}

export const DeadLetterConnection = connection('SetAsideWork', DeadLetterOutput, { counted: true });

export function deadLetterOutput<Work extends DeadLetter>(work: Work): Work & DeadLetterOutput {
  return { ...work, reason: DEAD_LETTER_REASONS[work.code] };
}
