/** Input for fixing findings in a template (section 4.7). */
import { Text, Uuids } from '../../../platform/input/fields.js';
import { Input } from '../../../platform/input/input-class.js';
import { MAX_FIXES } from '../domain/fixes/apply-edits.js';

/** Maximum number of characters of a slug. */
const MAX_SLUG_LENGTH = 255;

@Input({ graphql: 'ApplyFixesInput' })
export class ApplyFixesInput {
  @Text({ min: 1, max: MAX_SLUG_LENGTH, example: 'welcome' }) templateSlug: string;

  @Uuids({
    min: 1,
    max: MAX_FIXES,
    description: 'Findings of the template. Findings of other versions than the current one are skipped.',
  })
  findingIds: readonly string[];
}
