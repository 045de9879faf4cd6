/** What a form that is sent to an unsubscribe link asks for. */
import type { LinkRequest } from '../application/unsubscribe.service.js';

/**
 * Reads a form. A mail program's (RFC 8058), and whatever else does not come from our page, unsubscribes.
 * @param form anything else than URLSearchParams, such as a form with parts, has no fields of our page.
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

/** A box that is not ticked is not sent: only of topics that were shown it says anything. */
function chosenIn(fields: URLSearchParams): ReadonlyMap<string, boolean> {
  const ticked = new Set(fields.getAll('topic'));
  return new Map(fields.getAll('shown').map((key) => [key, ticked.has(key)]));
}
