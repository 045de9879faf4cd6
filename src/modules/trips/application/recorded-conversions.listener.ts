/**
 * Announces conversions as they are recorded. Each trip and each event counts once per goal, and before the goal ends
 * the trip.
 */
import { Listener } from '../../../platform/database/listener.js';
import type { Conversion } from '../domain/conversions.js';

export abstract class RecordedConversionsListener extends Listener<Conversion> {}
