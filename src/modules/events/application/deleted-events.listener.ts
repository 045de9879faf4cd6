/** Announces the ids of events that are deleted because the plan's retention is over. */
import { Listener } from '../../../platform/database/listener.js';

export abstract class DeletedEventsListener extends Listener<string> {}
