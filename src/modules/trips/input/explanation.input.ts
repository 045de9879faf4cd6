/** Which contact's silence to explain. */
import { eitherOf } from '../../../platform/input/either-of.js';
import { SearchText, Uuid } from '../../../platform/input/fields.js';
import { Arguments } from '../../../platform/input/input-class.js';
import type { ContactSelector } from '../domain/silence-inputs.js';

@Arguments()
export class ExplainSilenceArgs {
  @Uuid() flowId: string;
  @Uuid({ optional: true, description: 'ID of the contact. Give either this or externalId.' })
  contactId?: string;
  @SearchText({ optional: true, max: 255, description: 'Your application’s ID for the contact.' })
  externalId?: string;
}

/** @throws DomainError invalid_field unless exactly one of the two is given. */
export function contactSelectorOf(args: ExplainSilenceArgs): ContactSelector {
  const given = eitherOf(args, 'contactId', 'externalId');
  return 'contactId' in given ? { id: given.contactId } : given;
}
