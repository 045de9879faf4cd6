/** Which contact's silence to explain. */
import { eitherOf } from '../../../platform/input/either-of.js';
import { Sought, Uuid } from '../../../platform/input/fields.js';
import { Arguments } from '../../../platform/input/input-class.js';
import type { WhichContact } from '../domain/silence-facts.js';

@Arguments()
export class ExplainSilenceArgs {
  @Uuid() flowId: string;
  @Uuid({ optional: true, description: 'ID of the contact. Give either this or externalId.' })
  contactId?: string;
  @Sought({ optional: true, max: 255, description: 'Your application’s ID for the contact.' })
  externalId?: string;
}

/** @throws DomainError invalid_field unless exactly one of the two is given. */
export function whichContact(args: ExplainSilenceArgs): WhichContact {
  const which = eitherOf(args, 'contactId', 'externalId');
  return 'contactId' in which ? { id: which.contactId } : which;
}
