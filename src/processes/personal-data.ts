/** What an erasure does to the tables of every module, in order. */
import { EMAIL_ERASURES } from '../modules/delivery/persistence/personal-data.js';
import { EVENT_ERASURES } from '../modules/events/persistence/personal-data.js';
import { FEEDBACK_ERASURES } from '../modules/feedback/persistence/personal-data.js';
import { IMPORT_ERASURES } from '../modules/imports/persistence/personal-data.js';
import { INSPECT_ERASURES } from '../modules/inspect/persistence/personal-data.js';
import { PREFERENCE_ERASURES } from '../modules/preferences/persistence/personal-data.js';
import { SEGMENT_ERASURES } from '../modules/segments/persistence/personal-data.js';
import { SUPPRESSION_ERASURES } from '../modules/suppressions/persistence/personal-data.js';
import { TRIP_ERASURES } from '../modules/trips/persistence/personal-data.js';
import type { PersonalDataErasure } from '../platform/database/personal-data.js';

export const PERSONAL_DATA: readonly PersonalDataErasure[] = [
  ...EVENT_ERASURES,
  ...EMAIL_ERASURES,
  ...FEEDBACK_ERASURES,
  ...SEGMENT_ERASURES,
  ...SUPPRESSION_ERASURES,
  ...TRIP_ERASURES,
  ...PREFERENCE_ERASURES,
  ...INSPECT_ERASURES,
  ...IMPORT_ERASURES,
];
