/** The input for resuming promotional mail. */
import { Text } from '../../../platform/input/fields.js';
import { Arguments } from '../../../platform/input/input-class.js';

/** Maximum characters of a note. */
const MAX_NOTE_CHARS = 500;

@Arguments()
export class ResumePromotionalMailArgs {
  @Text({
    optional: true,
    nullable: 'absent',
    max: MAX_NOTE_CHARS,
    description: 'What was done about the cause, for later reference.',
  })
  note?: string;
}
