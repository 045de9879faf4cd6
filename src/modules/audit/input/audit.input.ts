/** The filter of the audit log. */
import { SearchText } from '../../../platform/input/fields.js';
import { Arguments } from '../../../platform/input/input-class.js';
import { PageArgs } from '../../../platform/input/page.input.js';

@Arguments()
export class AuditLogArgs extends PageArgs {
  @SearchText({
    isId: true,
    optional: true,
    max: 255,
    description: 'Only changes to the record with this ID. Omit for all changes.',
  })
  subjectId?: string | null;
}
