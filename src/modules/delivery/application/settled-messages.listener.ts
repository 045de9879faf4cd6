/** Announces that the fate of messages is settled, to whoever asked for them (trips) or counts on them. */
import { Listener } from '../../../platform/database/listener.js';
import type { MessageState } from '../domain/email-log.js';

export abstract class SettledMessagesListener extends Listener<MessageState> {}
