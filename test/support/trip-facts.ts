/** Default inputs of a trip's decisions, for tests of the engine's core. */
import { newContact } from '../../src/modules/contacts/domain/contact.js';
import type { DecisionInputs } from '../../src/modules/trips/domain/advance.js';

export const NOW = new Date('2026-03-02T09:00:00.000Z');

/** A contact without data, and no steps. */
export const NOTHING_KNOWN: DecisionInputs = {
  steps: [],
  contactStatus: 'present',
  contact: newContact('0190a5d2-7c3e-7b61-9a3e-4f5f0c0ffee0', 'ada', NOW),
  latestEvents: new Map(),
  triggerAttributes: {},
  isMember: () => false,
};
