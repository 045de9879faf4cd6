/** Query for preview data, section 4.3; empty values count as absent. */
import { DomainError, invalidFields } from '../../../kernel/domain-error.js';
import { isEventName } from '../../../kernel/event-name.js';
import { SearchText, Texts } from '../../../platform/input/fields.js';
import { Arguments, Input } from '../../../platform/input/input-class.js';
import { spelled, type InputSource } from '../../../platform/input/input-table.js';
import type { PreviewQuery } from '../domain/preview.js';

const MAX_EVENTS = 50;
const MAX_ID_LENGTH = 255;

@Input({})
class PreviewContextFields {
  @SearchText({ optional: true, example: 'order_placed', description: 'The event that starts the flow.' })
  eventName?: string;

  @SearchText({
    optional: true,
    max: MAX_ID_LENGTH,
    example: 'u1',
    description: 'ID or external_id of a contact. Defaults to the contact of the most recent event.',
  })
  contactId?: string;
}

@Input({})
export class PreviewContextQuery extends PreviewContextFields {
  @SearchText({
    optional: true,
    example: 'signed_up,plan_changed',
    description: 'Comma-separated event names.',
  })
  additionalEvents?: string;
}

@Arguments()
export class PreviewContextArgs extends PreviewContextFields {
  @Texts({ optional: true, description: `Names of up to ${MAX_EVENTS} events.` })
  additionalEvents?: readonly string[];
}

/**
 * The requested data.
 * @throws DomainError invalid_event_name, or invalid_field for more than 50 additional events.
 */
export function previewQueryOf(
  input: PreviewContextQuery | PreviewContextArgs,
  face: InputSource,
): PreviewQuery {
  const { eventName = '', additionalEvents = [], contactId } = input;
  const listed = typeof additionalEvents === 'string' ? additionalEvents.split(',') : additionalEvents;
  const names = listed.map((name) => name.trim()).filter((name) => name !== '');
  if (names.length > MAX_EVENTS)
    throw invalidFields([
      { field: spelled(face, 'additionalEvents'), message: `must be at most ${MAX_EVENTS} names` },
    ]);
  const name = eventName.trim();
  for (const each of [name, ...names]) {
    if (each !== '' && !isEventName(each))
      throw new DomainError(
        'invalid_event_name',
        'Event names must be lower snake case, such as order_placed.',
      );
  }
  return {
    eventName: name === '' ? null : name,
    additionalEvents: [...new Set(names)],
    contactId: contactId === undefined || contactId === '' ? null : contactId,
  };
}
