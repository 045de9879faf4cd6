/**
 * Announces changes of contacts, once each time a contact is stored, for data derived from contacts such as segment
 * members. `contact-store.ts` announces every change, from any source: a request, an event, a step of a trip, an
 * unsubscription, an erasure.
 */
import { Listener } from '../../../platform/database/listener.js';
import type { ChangedContact } from '../domain/changed-contact.js';

export abstract class ContactChangesListener extends Listener<ChangedContact> {}
