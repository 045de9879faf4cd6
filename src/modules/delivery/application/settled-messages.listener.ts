/**
 * Announces that the fate of messages is settled, to whoever asked for them (trips) or counts on them, and that it is
 * open again. A message may settle more than once: `unknown` becomes `sent` by a late word, and a person puts a `failed`
 * or `unknown` one back, which is announced as `queued`. Every step into and out of a settled status is told once, with
 * the status `before`: who counts takes away where `isSettled(before)` and adds where `isSettled(status)`. Steps between
 * `queued` and `sending` are not told.
 */
import { Listener } from '../../../platform/database/listener.js';
import type { MessageState } from '../domain/email-log.js';

export abstract class SettledMessagesListener extends Listener<MessageState> {}
