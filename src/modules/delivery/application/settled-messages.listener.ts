/**
 * Handles that the outcome of messages is settled, or open again. Implemented by the code that requested them (trips)
 * or counts them. A message may settle more than once: a late result turns `unknown` into `sent`, and a person can
 * requeue a `failed` or `unknown` message, which is announced as `queued`. Each step into and out of a settled status
 * is announced once, with the status `before`: counters subtract if `isSettled(before)` and add if
 * `isSettled(status)`. Steps between `queued` and `sending` are not announced.
 */
import { Listener } from '../../../platform/database/listener.js';
import type { MessageState } from '../domain/email-log.js';

export abstract class SettledMessagesListener extends Listener<MessageState> {}
