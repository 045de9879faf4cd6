/**
 * Announces what became of contacts, once for each time that one is stored, to whoever keeps what follows from it: who is
 * in which segment. `contact-store.ts` tells it, whoever asked for the change: a request, an event, a step of a trip, an
 * unsubscription, an erasure.
 */
import { Listener } from '../../../platform/database/listener.js';
import type { ChangedContact } from '../domain/changed-contact.js';

export abstract class ContactChangesListener extends Listener<ChangedContact> {}
