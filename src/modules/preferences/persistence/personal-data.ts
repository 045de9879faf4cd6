/** What an erasure does to preferences. The record of their changes stays, under an id that identifies no one. */
import type { PersonalDataErasure } from '../../../platform/database/personal-data.js';
import { LOCK_PREFERENCES, preferencesKey } from './contact-preferences.repository.js';

export const PREFERENCE_ERASURES: readonly PersonalDataErasure[] = [
  {
    tables: ['contact_preferences'],
    sql: LOCK_PREFERENCES,
    values: (person) => [preferencesKey(person, person.contactId)],
  },
  {
    tables: ['contact_preferences'],
    kind: 'preferences',
    sql: 'DELETE FROM contact_preferences WHERE workspace_id = $1 AND environment = $2 AND contact_id = $3',
  },
];
