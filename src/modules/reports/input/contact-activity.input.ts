/** The arguments of a contact's timeline. */
import { SearchText } from '../../../platform/input/fields.js';
import { Arguments } from '../../../platform/input/input-class.js';
import { PageArgs } from '../../../platform/input/page.input.js';

@Arguments()
export class ContactActivityArgs extends PageArgs {
  @SearchText({ isId: true, description: 'ID or external_id of the contact.' }) contactId: string;
}
