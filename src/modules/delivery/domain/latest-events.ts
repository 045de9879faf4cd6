/**
 * Which of a contact's latest events a message needs, section 4.3: those that the language would choose from all of
 * them.
 */
import { isEventName } from '../../../kernel/event-name.js';
import type { NameKey } from '../../../language/language.js';

export interface LatestEventNames {
  /** Exact event names. */
  readonly names: readonly string[];
  /** Event names without underscores, which is how the language folds stored names. */
  readonly folded: readonly string[];
}

/** What to look for. Names that no stored event can have are left out. */
export function latestEventNames(keys: Iterable<NameKey>): LatestEventNames {
  const names = new Set<string>();
  const folded = new Set<string>();
  for (const key of keys) {
    for (const spelling of key.spellings) if (isEventName(spelling)) names.add(spelling);
    if (isEventName(key.folded)) folded.add(key.folded);
  }
  return { names: [...names], folded: [...folded] };
}
