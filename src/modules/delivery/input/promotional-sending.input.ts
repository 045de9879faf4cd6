/** The input for resuming promotional mail. */
import { Text } from '../../../platform/input/fields.js';
import { Arguments } from '../../../platform/input/input-class.js';

/** Maximum characters of a note. */
const LONGEST_NOTE = 500;

@Arguments()
export class ResumePromotionalMailArgs {
  @Text({
    optional: true,
    nullable: 'absent',
    max: LONGEST_NOTE,
    description: 'What was done about the cause, for later reference.',
  })
  note?: string;
}
