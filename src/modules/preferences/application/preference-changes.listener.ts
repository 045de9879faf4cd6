/**
 * Announces decisions on promotional mail: each opt-out, opt-in and pause once, with its source, in the transaction
 * that stores it. A decision that changes nothing is not announced.
 */
import { Listener } from '../../../platform/database/listener.js';
import type { PreferenceChange } from '../domain/preference-change.js';

export abstract class PreferenceChangesListener extends Listener<PreferenceChange> {}
