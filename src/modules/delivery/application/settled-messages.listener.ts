/** Announces that the fate of messages is settled, to whoever asked for them (trips) or counts on them. */
import { Listener } from '../../../platform/database/listener.js';
import type { StoredSend } from '../persistence/send-ledger.repository.js';

/** A message to which nothing more happens by itself. */
export type SettledMessage = StoredSend;

export abstract class SettledMessagesListener extends Listener<SettledMessage> {}
