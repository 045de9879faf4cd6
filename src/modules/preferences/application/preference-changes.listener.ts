/**
 * Announces what persons have decided about promotional mail: each opt-out, opt-in and pause once, with the way in which it
 * came, in the transaction that stores it. What asks for what holds already is no change and is not announced.
 */
import { Listener } from '../../../platform/database/listener.js';
import type { PreferenceChange } from '../domain/preference-change.js';

export abstract class PreferenceChangesListener extends Listener<PreferenceChange> {}
