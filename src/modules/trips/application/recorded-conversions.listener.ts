/** Announces conversions as they are recorded: each trip and each event counts once a goal, before the trip is ended by it. */
import { Listener } from '../../../platform/database/listener.js';
import type { Conversion } from '../domain/conversions.js';

export abstract class RecordedConversionsListener extends Listener<Conversion> {}
