/** Which of a contact's latest events a message needs, section 4.3: those that the language would choose from all. */
import { isEventName } from '../../../kernel/event-name.js';
import type { NameKey } from '../../../language/language.js';

export interface WantedEvents {
  /** Events that are called so. */
  readonly names: readonly string[];
  /** Events whose names are these without their underscores: to the language, that is how stored names fold. */
  readonly folded: readonly string[];
}

/** What to look for; a name that no stored event can have is not asked for. */
export function wantedEvents(keys: Iterable<NameKey>): WantedEvents {
  const names = new Set<string>();
  const folded = new Set<string>();
  for (const key of keys) {
    for (const spelling of key.spellings) if (isEventName(spelling)) names.add(spelling);
    if (isEventName(key.folded)) folded.add(key.folded);
  }
  return { names: [...names], folded: [...folded] };
}
