/** Stores what a step says about its message in the ledger: JSON with the setting names of the REST API. */
import { camelKeys, snakeKeys, type SnakeKeys } from '../../../kernel/letter-case.js';
import type { SendEvent } from '../domain/claimed-send.js';
import type { SendOptions } from '../domain/email-log.js';

export interface StoredOptions extends Omit<SendOptions, 'emailSendSettings'> {
  readonly email_send_settings?: SnakeKeys<NonNullable<SendOptions['emailSendSettings']>>;
}

export function storedOptions({ emailSendSettings: settings, ...options }: SendOptions): StoredOptions {
  return settings ? { ...options, email_send_settings: snakeKeys(settings) } : options;
}

/** Converts the stored form back. */
export function optionsOf({ email_send_settings: settings, ...options }: StoredOptions): SendOptions {
  return settings ? { ...options, emailSendSettings: camelKeys(settings) } : options;
}

/**
 * The trigger event that a message's template reads: the attributes of the request if given, otherwise the event. Null
 * if there is neither, or if the event was deleted.
 */
export function triggerEventOf(
  { attributes: given }: StoredOptions,
  eventName: string | null,
  attributes: Record<string, unknown> | null,
): SendEvent | null {
  if (given) return { eventName: '', attributes: { ...given } };
  return eventName === null ? null : { eventName, attributes: attributes ?? {} };
}
