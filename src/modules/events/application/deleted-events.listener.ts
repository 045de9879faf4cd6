/** Announces events, by their ids, that are deleted since the plan keeps them no longer. */
import { Listener } from '../../../platform/database/listener.js';

export abstract class DeletedEventsListener extends Listener<string> {}
