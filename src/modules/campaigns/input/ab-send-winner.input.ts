/** The input that decides an A/B test, section 4.5. */
import { Text } from '../../../platform/input/fields.js';
import { Input } from '../../../platform/input/input-class.js';
import { LONGEST_NAME } from '../domain/campaign.js';

@Input({ rest: 'AbSendWinnerFields' }, { mayBeAbsent: true })
export class AbSendWinnerInput {
  @Text({
    optional: true,
    nullable: true,
    min: 1,
    max: LONGEST_NAME,
    description: 'Name of a variant. Defaults to the variant with the best result so far.',
  })
  variant?: string | null;
}
