/** Reads what a preview's data is asked for by, section 4.3, wherever the question comes from. */
import { DomainError, invalidFields } from '../../../kernel/domain-error.js';
import { isEventName } from '../../../kernel/event-name.js';

/** Data to preview with: null or an empty list where nothing is asked for. */
export interface PreviewQuery {
  readonly eventName: string | null;
  readonly additionalEvents: readonly string[];
  /** Record id or external_id; null: whoever the most recent event belongs to. */
  readonly contactId: string | null;
}

const MOST_EVENTS = 50;

/**
 * Reads the parameters; an empty one is as good as none.
 * @throws DomainError invalid_event_name, or invalid_field for more than 50 additional events.
 */
export function readPreviewQuery(
  eventName: string | null | undefined,
  additionalEvents: readonly string[] | null | undefined,
  contactId: string | null | undefined,
): PreviewQuery {
  const names = (additionalEvents ?? []).map((name) => name.trim()).filter((name) => name !== '');
  if (names.length > MOST_EVENTS)
    throw invalidFields([{ field: 'additional_events', message: `must be at most ${MOST_EVENTS} names` }]);
  const name = eventName?.trim() ?? '';
  for (const each of [name, ...names]) {
    if (each !== '' && !isEventName(each))
      throw new DomainError(
        'invalid_event_name',
        'Names of events must be lower snake case, such as order_placed.',
      );
  }
  return {
    eventName: name === '' ? null : name,
    additionalEvents: [...new Set(names)],
    contactId: contactId === undefined || contactId === '' ? null : contactId,
  };
}
