/** Announces that something was learned of contacts, to whoever keeps what follows from it: who is in which segment. */
import { Listener } from '../../../platform/database/listener.js';

/** A contact that was made, changed, deleted or brought back. */
export interface ChangedContact {
  readonly id: string;
}

export abstract class ContactChangesListener extends Listener<ChangedContact> {}
