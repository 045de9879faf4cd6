/** GraphQL input for changing a contact's preferences on its behalf. */
import { SearchText, Text } from '../../../platform/input/fields.js';
import { Arguments } from '../../../platform/input/input-class.js';
import { PageArgs } from '../../../platform/input/page.input.js';
import { KEY } from './topic.input.js';

const CONTACT = { isId: true, description: 'ID or external_id of the contact.' } as const;

@Arguments()
export class OptOutArgs {
  @SearchText(CONTACT) id: string;
  @Text({ ...KEY, optional: true, description: 'Key of the topic. Omit to opt out of all promotional mail.' })
  topic?: string;
}

@Arguments()
export class OptInArgs {
  @SearchText(CONTACT) id: string;
  @Text({ ...KEY, description: 'Key of the topic.' }) topic: string;
}

@Arguments()
export class PreferenceChangesArgs extends PageArgs {
  @SearchText(CONTACT) id: string;
}
