/** How the ledger's rows keep what a step says about its message: as JSON, under the names that REST gives settings. */
import { camelKeys, snakeKeys, type SnakeKeys } from '../../../kernel/letter-case.js';
import type { SendEvent } from '../domain/claimed-send.js';
import type { SendOptions } from '../domain/email-log.js';

export interface StoredOptions extends Omit<SendOptions, 'emailSendSettings'> {
  readonly email_send_settings?: SnakeKeys<NonNullable<SendOptions['emailSendSettings']>>;
}

export function storedOptions({ emailSendSettings: settings, ...options }: SendOptions): StoredOptions {
  return settings ? { ...options, email_send_settings: snakeKeys(settings) } : options;
}

/** What was stored so. */
export function optionsOf({ email_send_settings: settings, ...options }: StoredOptions): SendOptions {
  return settings ? { ...options, emailSendSettings: camelKeys(settings) } : options;
}

/**
 * What a message's template reads as its trigger event: what the request has given, else the event; null where there is
 * neither, or the event is gone.
 */
export function triggerEventOf(
  { attributes: given }: StoredOptions,
  eventName: string | null,
  attributes: Record<string, unknown> | null,
): SendEvent | null {
  if (given) return { eventName: '', attributes: { ...given } };
  return eventName === null ? null : { eventName, attributes: attributes ?? {} };
}
