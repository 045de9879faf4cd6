/** Whose silence is to be explained. */
import { invalidFields } from '../../../kernel/domain-error.js';
import { Sought, Uuid } from '../../../platform/input/fields.js';
import { Arguments } from '../../../platform/input/input-class.js';
import type { WhichContact } from '../domain/silence-facts.js';

@Arguments()
export class ExplainSilenceArgs {
  @Uuid() flowId: string;
  @Uuid({ optional: true, description: 'The contact’s id; or give its externalId.' }) contactId?: string;
  @Sought({ optional: true, max: 255, description: 'The application’s name for the contact.' })
  externalId?: string;
}

/** @throws DomainError invalid_field unless one of the two is given. */
export function whichContact({ contactId, externalId }: ExplainSilenceArgs): WhichContact {
  if (contactId !== undefined && externalId === undefined) return { id: contactId };
  if (externalId !== undefined && contactId === undefined) return { externalId };
  throw invalidFields([{ field: 'contactId', message: 'must be given, or externalId must, and not both' }]);
}
