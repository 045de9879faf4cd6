/** What is said of a contact's preferences on its behalf, in GraphQL. */
import { Sought, Text } from '../../../platform/input/fields.js';
import { Arguments } from '../../../platform/input/input-class.js';
import { PageArgs } from '../../../platform/input/page.input.js';
import { KEY } from './topic.input.js';

const CONTACT = { isId: true, description: 'The contact’s id or external_id.' } as const;

@Arguments()
export class OptOutArgs {
  @Sought(CONTACT) id: string;
  @Text({ ...KEY, optional: true, description: 'A topic’s key; all mail when left out.' }) topic?: string;
}

@Arguments()
export class OptInArgs {
  @Sought(CONTACT) id: string;
  @Text({ ...KEY, description: 'A topic’s key.' }) topic: string;
}

@Arguments()
export class PreferenceChangesArgs extends PageArgs {
  @Sought(CONTACT) id: string;
}
