/** Parses the forms sent to an unsubscribe link. */
import type { LinkRequest } from '../application/unsubscribe.service.js';

/**
 * Parses a form. The form of a mail client (RFC 8058), and any other that does not come from our page, unsubscribes.
 * @param form anything other than URLSearchParams, such as a multipart form, has no fields of our page.
 */
export function linkRequestOf(form: unknown): LinkRequest {
  const fields = form instanceof URLSearchParams ? form : new URLSearchParams();
  const action = fields.has('List-Unsubscribe') ? null : fields.get('action');
  switch (action) {
    case 'unsubscribe':
      return { kind: 'unsubscribe', way: 'page' };
    case 'choose':
      return { kind: 'choose', chosen: chosenIn(fields) };
    case 'pause':
    case 'resume':
    case 'come_back':
      return { kind: action };
    default:
      return { kind: 'unsubscribe', way: 'one_click' };
  }
}

/** A box that is not ticked is not sent, so only topics that were shown are changed. */
function chosenIn(fields: URLSearchParams): ReadonlyMap<string, boolean> {
  const ticked = new Set(fields.getAll('topic'));
  return new Map(fields.getAll('shown').map((key) => [key, ticked.has(key)]));
}
